import { existsSync } from "node:fs";
import { AppError, type SessionsClient, type SessionTarget } from "@capstan/protocol";
import { inertText } from "@capstan/view";

interface Given {
  /** The directory this process was started for. */
  readonly cwd: string;
  /** Whether `-C` named it. */
  readonly isNamed: boolean;
}

/**
 * What a user must know who continues a session from another folder than its own: a session keeps the folder it was begun in, so that
 * is where files change. `undefined`: it works here, or its folder is gone and opening it says so.
 * @throws {AppError} `usage.invalid` when `-C` names another folder: it would be obeyed by nothing
 */
export async function sessionElsewhere(
  client: { readonly sessions: Pick<SessionsClient, "list"> },
  target: SessionTarget,
  { cwd, isNamed }: Given,
): Promise<string | undefined> {
  if (target.type === "new") return undefined;
  const found = (await client.sessions.list()).find(({ id }) => id === target.id);
  if (found === undefined || found.cwd === cwd || !existsSync(found.cwd)) return undefined;
  if (isNamed)
    throw new AppError("usage.invalid", `the session ${target.id} works in ${found.cwd}, so -C ${cwd} cannot hold`, {
      hint: `Leave -C out, since a session keeps its folder: \`capstan sessions show ${target.id}\` has what was done there.`,
    });
  return `this session works in ${inertText(found.cwd)}, where it was begun`;
}
