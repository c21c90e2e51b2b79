import type { Inbox } from "@capstan/host";
import { AppError, type Grant } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import { withInbox } from "../asking/with-inbox.ts";

const ruleCharacters = 120;

/** `capstan policy grants list`. */
export async function listGrants(flags: { readonly json?: boolean }): Promise<number> {
  return withInbox(async (inbox) => {
    const grants = await inbox.grants.list();
    for (const grant of grants) print(flags.json === true ? JSON.stringify(grant) : grantLine(grant));
    if (grants.length === 0 && flags.json !== true) print("No approval was given for good.");
    return 0;
  });
}

/** `capstan policy grants show ID`. */
export async function showGrant(idOrPrefix: string, flags: { readonly json?: boolean }): Promise<number> {
  return withInbox(async (inbox) => {
    const grant = await findGrant(inbox, idOrPrefix);
    if (flags.json === true) print(JSON.stringify(grant, null, 2));
    else for (const line of grantLines(grant)) print(line);
    return 0;
  });
}

/** `capstan policy grants revoke ID…`: all of them, or none when one is not known. */
export async function revokeGrants(ids: readonly string[]): Promise<number> {
  return withInbox(async (inbox) => {
    const grants: Grant[] = [];
    for (const id of ids) grants.push(await findGrant(inbox, id));
    for (const { id, rule } of grants) {
      await inbox.grants.remove(id);
      print(
        `Revoked ${id}: ${inertLine(rule.text, ruleCharacters)}. Sessions that are open now keep it until they are closed.`,
      );
    }
    return 0;
  });
}

async function findGrant(inbox: Inbox, idOrPrefix: string): Promise<Grant> {
  const grants = await inbox.grants.list();
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
  return `${id}  ${time(grantedAt)}  ${inertLine(rule.text, ruleCharacters)}${cwd === undefined ? "" : `  in ${inertText(cwd)}`}`;
}

function grantLines({ id, rule, grantedAt, sessionId, interactionId, cwd }: Grant): readonly string[] {
  return [
    id,
    `  allows: ${inertText(rule.text)}`,
    ...(rule.scripts ?? []).map(({ path, sha256 }) => `  while ${inertText(path)} has the content ${sha256}`),
    `  in: ${cwd === undefined ? "every directory" : inertText(cwd)}`,
    `  given: ${time(grantedAt)}, in session ${sessionId}, as the answer to ${interactionId}`,
    `  revoke: capstan policy grants revoke ${id}`,
  ];
}

function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
