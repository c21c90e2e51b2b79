import {
  AppError,
  type EngineClient,
  type SessionId,
  type SessionSummary,
  type SessionTarget,
  toSessionId,
} from "@capstan/protocol";
import { shellWord } from "./shell-word.ts";

/** Which session a run is for. */
export interface TargetFlags {
  readonly continue?: boolean;
  readonly resume?: string;
  readonly forkSession?: boolean;
  readonly retry?: boolean;
  readonly sessionId?: string;
  readonly name?: string;
}

/** A name is a line that a list can show whole. */
const nameCharacters = 60;

/** @throws AppError `usage.invalid` */
export function checkTarget(flags: TargetFlags): void {
  if (flags.continue === true && flags.resume !== undefined)
    throw new AppError("usage.invalid", "--continue and --resume exclude each other");
  if (flags.retry === true && (flags.forkSession === true || (flags.continue !== true && flags.resume === undefined))) {
    throw new AppError("usage.invalid", "--retry needs --continue or --resume ID, and no --fork-session");
  }
  if (flags.forkSession === true && flags.continue !== true && flags.resume === undefined) {
    throw new AppError("usage.invalid", "--fork-session needs --continue or --resume ID");
  }
  if (flags.sessionId !== undefined && !/^[\w-]{1,64}$/.test(flags.sessionId)) {
    throw new AppError("usage.invalid", "--session-id takes up to 64 letters, digits, _ and -");
  }
  checkName(flags);
}

function checkName({ name }: TargetFlags): void {
  if (name === undefined) return;
  if (name.trim() === "" || name.length > nameCharacters || /\p{C}/u.test(name))
    throw new AppError("usage.invalid", `--name takes a line of 1 to ${nameCharacters} characters`);
}

/**
 * @param cwd  where `--continue` looks for the latest session
 * @throws AppError `session.unknown`, `session.ambiguous`, `usage.invalid` for the name of a session that there is already
 */
export async function targetOf(flags: TargetFlags, cwd: string, client: EngineClient): Promise<SessionTarget> {
  if (flags.continue !== true && flags.resume === undefined) {
    return flags.sessionId === undefined ? { type: "new" } : { type: "new", id: toSessionId(flags.sessionId) };
  }
  const id =
    flags.resume === undefined ? await latestSession(cwd, client) : await client.sessions.resolve(flags.resume);
  // Only here is it known which session that is, so that the line to paste can name it.
  if (flags.name !== undefined)
    throw new AppError("usage.invalid", "--name is for a new session", {
      hint: `Try: capstan sessions rename ${id} ${shellWord(flags.name)}`,
    });
  return { type: flags.forkSession === true ? "fork" : "resume", id };
}

async function latestSession(cwd: string, client: EngineClient): Promise<SessionId> {
  // What an agent did belongs to the session that called it.
  const isMeant = (session: SessionSummary): boolean => session.cwd === cwd && session.spawnedBy === undefined;
  const latest = (await client.sessions.list()).find(isMeant);
  if (latest === undefined) {
    throw new AppError("session.unknown", `no session was held in ${cwd} yet`, {
      hint: "Leave --continue out to begin one; `capstan sessions list` has those of other folders.",
    });
  }
  return latest.id;
}
