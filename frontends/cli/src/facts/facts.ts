import { AppError, type KnownFact } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import type { CommandContext } from "../command-context.ts";
import { agoText, localTime } from "../lists/time-text.ts";
import { type Column, tableLines } from "../lists/table-lines.ts";

/** Facts that are listed at once. */
const listedAtOnce = 200;

/** Characters of an id that tell facts apart in a list. */
const shownIdCharacters = 8;

const msPerDay = 24 * 60 * 60 * 1000;

export interface ListFactsFlags {
  readonly all?: boolean;
  /** `YYYY-MM-DD`, of this machine's time. */
  readonly day?: string;
  readonly json?: boolean;
}

/** `capstan facts list [WORDS…]`. @param cwd  the folder whose facts are meant */
export async function listFacts(
  { client, streams }: CommandContext,
  words: readonly string[],
  { all = false, day, json = false, cwd }: ListFactsFlags & { readonly cwd: string },
): Promise<number> {
  const print = (line: string): void => streams.result.write(`${line}\n`);
  const facts = await client.facts.list({
    ...(words.length === 0 ? {} : { words: words.join(" ") }),
    ...(all ? {} : { cwd }),
    ...(day === undefined ? {} : dayRange(day)),
    limit: listedAtOnce,
  });
  if (json) for (const fact of facts) print(JSON.stringify(fact));
  else for (const line of tableLines(facts, columns(all), streams.width)) print(line);
  if (facts.length === 0 && !json) print(nothing(words, all));
  return 0;
}

function nothing(words: readonly string[], all: boolean): string {
  if (words.length > 0) return `No fact has any of these words: ${words.join(" ")}`;
  const where = all ? "" : " in this folder";
  return `Nothing is remembered${where}. Try: capstan facts add "We deploy on Fridays."`;
}

/** A day of this machine's calendar. @throws AppError `usage.invalid` */
function dayRange(day: string): { readonly since: number; readonly until: number } {
  const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00`).getTime() : Number.NaN;
  if (!Number.isNaN(since)) return { since, until: since + msPerDay };
  throw new AppError("usage.invalid", `--day: ${JSON.stringify(day)} is no day`, {
    hint: "Write it as year-month-day: 2026-11-24",
  });
}

function columns(all: boolean): readonly Column<KnownFact>[] {
  const now = Date.now();
  return [
    { text: ({ id }) => id.slice(0, shownIdCharacters), rank: 0 },
    { text: ({ text }) => inertText(text), rank: 0, minWidth: 20 },
    { text: (fact) => kindText(fact), rank: 2 },
    { text: ({ at }) => agoText(at, now), rank: 1 },
    ...(all ? [{ text: ({ cwd }: KnownFact) => inertText(cwd ?? "everywhere"), rank: 3 }] : []),
  ];
}

function kindText({ kind, scope, isStale }: KnownFact): string {
  const where = scope === "user" ? ", everywhere" : scope === "session" ? ", one session" : "";
  return `${kind}${where}${isStale ? ", may be out of date" : ""}`;
}

/** `capstan facts show ID`. */
export async function showFact(
  context: CommandContext,
  idOrPrefix: string,
  flags: { readonly json?: boolean },
): Promise<number> {
  const fact = await findFact(context, idOrPrefix);
  const lines = flags.json === true ? [JSON.stringify(fact, null, 2)] : factLines(fact);
  for (const line of lines) context.streams.result.write(`${line}\n`);
  return 0;
}

function factLines(fact: KnownFact): readonly string[] {
  const { id, text, cwd, entities, files, by, source, at } = fact;
  const who = { user: "the user", model: "the model", rules: "what was said or done in a session" }[by];
  return [
    id,
    `  ${inertText(text)}`,
    `  kind: ${kindText(fact)}`,
    `  in: ${cwd === null ? "every folder" : inertText(cwd)}`,
    ...(entities.length === 0 ? [] : [`  found by: ${entities.map(inertText).join(", ")}`]),
    ...files.map(({ path }) => `  true while ${inertText(path)} is as it was`),
    `  from: ${who}, ${localTime(at)}${source === null ? "" : `, session ${source.sessionId}`}`,
    `  change it: capstan facts edit ${id} "…"`,
    `  forget it: capstan facts delete ${id}`,
  ];
}

/** `capstan facts add WORDS…`. */
export async function addFact(
  { client, identity, streams }: CommandContext,
  words: readonly string[],
  { user = false, json = false, cwd }: { readonly user?: boolean; readonly json?: boolean; readonly cwd: string },
): Promise<number> {
  const scope = user ? "user" : "workspace";
  const fact = await client.facts.remember({ text: words.join(" "), scope, cwd }, identity);
  const where = user ? "in all your work" : "in this folder";
  const line = json ? JSON.stringify(fact) : `Remembered ${where}: ${inertText(fact.text)}  (${shortId(fact)})`;
  streams.result.write(`${line}\n`);
  return 0;
}

/** `capstan facts edit ID WORDS…`. */
export async function editFact(context: CommandContext, idOrPrefix: string, words: readonly string[]): Promise<number> {
  const fact = await findFact(context, idOrPrefix);
  if (!(await context.client.facts.change(fact.id, words.join(" "), context.identity))) throw unknownFact(idOrPrefix);
  context.streams.result.write(`Changed ${shortId(fact)}: ${inertText(words.join(" "))}\n`);
  return 0;
}

/** `capstan facts delete ID…`: all of them, or none when one is not known. */
export async function deleteFacts(context: CommandContext, ids: readonly string[]): Promise<number> {
  const facts = await Promise.all(ids.map(async (id) => await findFact(context, id)));
  for (const fact of new Map(facts.map((each) => [each.id, each])).values()) {
    await context.client.facts.forget(fact.id, context.identity);
    context.streams.result.write(`Forgotten ${shortId(fact)}: ${inertText(fact.text)}\n`);
  }
  return 0;
}

async function findFact({ client }: CommandContext, idOrPrefix: string): Promise<KnownFact> {
  const found = idOrPrefix === "" ? [] : await client.facts.list({ id: idOrPrefix, limit: 2 });
  const exact = found.find(({ id }) => id === idOrPrefix);
  const [only, another] = exact === undefined ? found : [exact];
  if (only === undefined) throw unknownFact(idOrPrefix);
  if (another === undefined) return only;
  throw new AppError("usage.invalid", `several facts begin with ${JSON.stringify(idOrPrefix)}`, { hint });
}

function unknownFact(id: string): AppError {
  return new AppError("usage.invalid", `there is no fact ${JSON.stringify(id)}`, { hint });
}

const hint = "`capstan facts list` has them with their ids.";

function shortId({ id }: KnownFact): string {
  return id.slice(0, shownIdCharacters);
}
