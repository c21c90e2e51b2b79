import { agoText } from "@capstan/cli";
import { AppError, type SessionId, type SessionsClient, type SessionSummary } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { canChoose, choose } from "./choose.ts";

const titleCharacters = 60;

/** Where sessions are looked up: a client, or what is stored. */
interface Listed {
  readonly sessions: Pick<SessionsClient, "list" | "resolve">;
}

/**
 * The session that a command without an id means: the latest that was held in this directory. On a terminal, where there are
 * several, the user picks one.
 * @throws {AppError} `session.unknown` when there is none
 */
export async function sessionHere(client: Listed, cwd: string): Promise<SessionId> {
  const here = (await client.sessions.list()).filter(
    ({ cwd: held, spawnedBy }) => held === cwd && spawnedBy === undefined,
  );
  const [latest, another] = here;
  if (latest === undefined)
    throw new AppError("session.unknown", `no session was held in ${cwd} yet`, { hint: "Try: capstan sessions list" });
  if (another === undefined || !canChoose()) return latest.id;
  const choices = here.map((session) => ({ value: session.id, line: choiceLine(session) }));
  return await choose("Several sessions were held here:", choices);
}

function choiceLine({ title, updatedAt }: SessionSummary): string {
  const name = title === "" ? "(no words)" : inertLine(title, titleCharacters);
  return `${name} · ${agoText(updatedAt, Date.now())}`;
}

/** The session that was named, or the one that is meant without a name. */
export async function sessionMeant(client: Listed, named: string | undefined, cwd: string): Promise<SessionId> {
  return named === undefined ? await sessionHere(client, cwd) : await client.sessions.resolve(named);
}
