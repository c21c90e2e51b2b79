import { AppError, type Grant } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import type { CommandContext } from "../command-context.ts";
import { localTime } from "../lists/time-text.ts";

const ruleCharacters = 120;

/** `capstan policy grants list`. */
export async function listGrants(
  { client, streams }: CommandContext,
  flags: { readonly json?: boolean },
): Promise<number> {
  const print = (line: string): void => streams.result.write(`${line}\n`);
  const grants = await client.grants.list();
  for (const grant of grants) print(flags.json === true ? JSON.stringify(grant) : grantLine(grant));
  if (grants.length === 0 && flags.json !== true) print("No approval was given for good.");
  return 0;
}

/** `capstan policy grants show ID`. */
export async function showGrant(
  { client, streams }: CommandContext,
  idOrPrefix: string,
  flags: { readonly json?: boolean },
): Promise<number> {
  const print = (line: string): void => streams.result.write(`${line}\n`);
  const grant = findGrant(await client.grants.list(), idOrPrefix);
  if (flags.json === true) print(JSON.stringify(grant, null, 2));
  else for (const line of grantLines(grant)) print(line);
  return 0;
}

/** `capstan policy grants revoke ID…`: all of them, or none when one is not known. */
export async function revokeGrants(
  { client, identity, streams }: CommandContext,
  ids: readonly string[],
): Promise<number> {
  const known = await client.grants.list();
  const grants = ids.map((id) => findGrant(known, id));
  for (const { id, rule } of grants) {
    await client.grants.revoke(id, identity);
    streams.result.write(
      `Revoked ${id}: ${inertLine(rule.text, ruleCharacters)}. Sessions that are open now keep it until they are closed.\n`,
    );
  }
  return 0;
}

function findGrant(grants: readonly Grant[], idOrPrefix: string): Grant {
  const exact = grants.find(({ id }) => id === idOrPrefix);
  const fitting = exact === undefined && idOrPrefix !== "" ? grants.filter(({ id }) => id.startsWith(idOrPrefix)) : [];
  const [only, another] = exact === undefined ? fitting : [exact];
  if (only !== undefined && another === undefined) return only;
  const problem = only === undefined ? "there is no grant" : "several grants begin with";
  throw new AppError("usage.invalid", `${problem} ${JSON.stringify(idOrPrefix)}`, {
    hint: "`capstan policy grants list` has them with their ids.",
  });
}

function grantLine({ id, rule, grantedAt, cwd }: Grant): string {
  return `${id}  ${localTime(grantedAt)}  ${inertLine(rule.text, ruleCharacters)}${cwd === undefined ? "" : `  in ${inertText(cwd)}`}`;
}

function grantLines({ id, rule, grantedAt, sessionId, interactionId, cwd }: Grant): readonly string[] {
  return [
    id,
    `  allows: ${inertText(rule.text)}`,
    ...(rule.scripts ?? []).map(({ path, sha256 }) => `  while ${inertText(path)} has the content ${sha256}`),
    `  in: ${cwd === undefined ? "every directory" : inertText(cwd)}`,
    `  given: ${localTime(grantedAt)}, in session ${sessionId}, as the answer to ${interactionId}`,
    `  revoke: capstan policy grants revoke ${id}`,
  ];
}
