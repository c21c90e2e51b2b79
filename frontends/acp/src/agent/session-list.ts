import { realpathSync } from "node:fs";
import type { SessionSummary } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { sessionsPerPage, titleCharacters } from "../limits.ts";
import { invalidParams } from "../peer/rpc-error.ts";

/**
 * A page of the sessions of every frontend, the latest first. A cursor names the last session of the page before it.
 * @param cwd  only those of this directory
 * @throws RpcError for a cursor of nobody's
 */
export function sessionPage(
  sessions: readonly SessionSummary[],
  cwd: string | undefined,
  cursor: string | undefined,
): object {
  const place = cwd === undefined ? undefined : realPath(cwd);
  const listed = sessions
    .filter((session) => session.spawnedBy === undefined && (place === undefined || session.cwd === place))
    .toSorted((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1));
  const rest = cursor === undefined ? listed : after(listed, cursor);
  const page = rest.slice(0, sessionsPerPage);
  const last = page.at(-1);
  const more = last !== undefined && rest.length > page.length ? { nextCursor: cursorOf(last) } : {};
  return { sessions: page.map(infoOf), ...more };
}

/** The directory itself, where it is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function infoOf({ id, cwd, title, updatedAt }: SessionSummary): object {
  const named = title === "" ? {} : { title: inertLine(title, titleCharacters) };
  return { sessionId: id, cwd, ...named, updatedAt: new Date(updatedAt).toISOString() };
}

function cursorOf({ updatedAt, id }: SessionSummary): string {
  return `${updatedAt}:${id}`;
}

/** Those after the cursor's place, whether or not its session is still there: one that changed since has moved to the front. */
function after(sessions: readonly SessionSummary[], cursor: string): readonly SessionSummary[] {
  const [, time, id = ""] = /^(\d{1,16}):(.+)$/.exec(cursor) ?? [];
  if (time === undefined) throw invalidParams("params.cursor: it is not one of `session/list`");
  const at = Number(time);
  return sessions.filter((session) => session.updatedAt < at || (session.updatedAt === at && session.id > id));
}
