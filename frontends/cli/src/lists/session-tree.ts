import type { SessionId, SessionSummary } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type OwnedSessions, stateOf } from "./session-list.ts";

const titleCharacters = 100;

/** A session in its tree; the root has depth 0. */
export interface TreeSession {
  readonly session: SessionSummary;
  readonly depth: number;
  /** Whether it is the last of its siblings, and so for each session above it, from the top. */
  readonly lasts: readonly boolean[];
}

/** A session and those that work for it, each before what works for it; siblings in the order in which they began. */
export function sessionTree(all: readonly SessionSummary[], root: SessionId): readonly TreeSession[] {
  const children = grouped(all);
  const walk = (session: SessionSummary, lasts: readonly boolean[]): readonly TreeSession[] => {
    const below = (children.get(session.id) ?? []).toSorted((one, other) => one.createdAt - other.createdAt);
    const own = { session, depth: lasts.length, lasts };
    return [own, ...below.flatMap((child, at) => walk(child, [...lasts, at === below.length - 1]))];
  };
  return all.filter(({ id }) => id === root).flatMap((session) => walk(session, []));
}

function grouped(all: readonly SessionSummary[]): ReadonlyMap<string, readonly SessionSummary[]> {
  const children = new Map<string, SessionSummary[]>();
  for (const session of all) {
    const { spawnedBy } = session;
    if (spawnedBy !== undefined)
      children.set(spawnedBy.sessionId, [...(children.get(spawnedBy.sessionId) ?? []), session]);
  }
  return children;
}

export function sessionTreeLines(tree: readonly TreeSession[], owned: OwnedSessions): readonly string[] {
  return tree.map(({ session, lasts }) => {
    const title = session.title === "" ? "(no words)" : inertLine(session.title, titleCharacters);
    return `${branch(lasts)}${title} · ${stateOf(session, owned)} · ${session.id}`;
  });
}

function branch(lasts: readonly boolean[]): string {
  const last = lasts.at(-1);
  if (last === undefined) return "";
  const above = lasts.slice(0, -1).map((isLast) => (isLast ? "   " : "│  "));
  return `${above.join("")}${last ? "└─ " : "├─ "}`;
}
