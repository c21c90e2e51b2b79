import { type InboxEntry, type InteractionsClient, type Settled, shortIds } from "@capstan/protocol";
import { inertLine, inertText, interactionLines, interactionSummary } from "@capstan/view";
import { answerCommands } from "../asking/answer-commands.ts";
import type { CommandContext } from "../command-context.ts";
import { paintLine } from "../paint-line.ts";
import { type Column, tableLines } from "../lists/table-lines.ts";
import { agoText } from "../lists/time-text.ts";
import { settledText } from "./settled-text.ts";

const summaryCharacters = 120;

export interface ListFlags {
  readonly session?: string;
  readonly json?: boolean;
}

/** `capstan interactions list`: what waits, oldest first. */
export async function listInteractions({ client, streams }: CommandContext, flags: ListFlags): Promise<number> {
  const print = (line: string): void => streams.result.write(`${line}\n`);
  const wanted = flags.session === undefined ? undefined : await client.sessions.resolve(flags.session);
  const all = await client.interactions.list();
  const entries = all.filter(({ sessionId }) => wanted === undefined || sessionId === wanted);
  const shown =
    flags.json === true
      ? entries.map((entry) => JSON.stringify(asObject(entry)))
      : listLines(entries, all, streams.width);
  for (const line of shown) print(line);
  if (entries.length === 0 && flags.json !== true) print("Nothing waits for an answer.");
  return 0;
}

/** `capstan interactions show ID`: everything it takes to decide. */
export async function showInteraction(
  { client, streams }: CommandContext,
  id: string,
  flags: { readonly json?: boolean },
): Promise<number> {
  const print = (line: string): void => streams.result.write(`${line}\n`);
  const found = await client.interactions.find(id);
  const interaction = found.type === "pending" ? found.entry.interaction : found.interaction;
  if (flags.json === true) {
    const settled = found.type === "settled" ? { sessionId: found.sessionId, settled: found.settled } : {};
    const object = found.type === "pending" ? asObject(found.entry) : { ...interaction, ...settled };
    print(JSON.stringify(object, null, 2));
    return 0;
  }
  print(`${interaction.request.type} ${interaction.id}`);
  if (found.type === "pending") for (const line of placeLines(found.entry)) print(line);
  else print(`  Settled: ${settledText(found.settled)}.`);
  for (const line of interactionLines(interaction, Date.now())) print(paintLine(line, streams.colors));
  if (found.type === "settled") return 0;
  print("Answers:");
  for (const { about, command } of answerCommands(interaction)) print(`  ${about}:\n    ${command}`);
  return 0;
}

/** What a watcher of the inbox receives. */
type InboxChange =
  | { readonly type: "opened"; readonly entry: InboxEntry }
  | { readonly type: "settled"; readonly entry: InboxEntry; readonly settled: Settled | null };

/** `capstan interactions watch`: until it is stopped, which is how it is meant to end. */
export async function watchInteractions(
  { client, streams }: CommandContext,
  flags: { readonly json?: boolean },
  signal: AbortSignal,
): Promise<number> {
  for await (const change of changesOf(client.interactions, signal)) {
    const line = flags.json === true ? JSON.stringify(changeObject(change)) : changeLine(change);
    streams.result.write(`${line}\n`);
  }
  return 0;
}

/** What waits now, and then everything that is asked or settled. */
async function* changesOf(interactions: InteractionsClient, signal: AbortSignal): AsyncGenerator<InboxChange, void> {
  const lists = interactions.watch()[Symbol.asyncIterator]();
  const giveUp = (): void => void lists.return?.();
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  let known = new Map<string, InboxEntry>();
  for (;;) {
    const step = await lists.next();
    if (step.done === true) return;
    const now = new Map<string, InboxEntry>(step.value.map((entry) => [entry.interaction.id, entry]));
    for (const [id, entry] of known)
      if (!now.has(id)) yield { type: "settled", entry, settled: await settlementOf(interactions, id) };
    for (const [id, entry] of now) if (!known.has(id)) yield { type: "opened", entry };
    known = now;
  }
}

/** `null`: it is gone with its session. */
async function settlementOf(interactions: InteractionsClient, id: string): Promise<Settled | null> {
  const found = await interactions.find(id).catch(() => null);
  return found?.type === "settled" ? found.settled : null;
}

function asObject({ interaction, ...place }: InboxEntry): object {
  return { ...interaction, ...place, expired: isExpired(interaction.expiresAt) };
}

/** What is asked first, then where. */
function listLines(
  entries: readonly InboxEntry[],
  all: readonly InboxEntry[],
  width: number | undefined,
): readonly string[] {
  const now = Date.now();
  const short = shortIds(all.map(({ interaction }) => interaction.id));
  const idOf = ({ interaction: { id } }: InboxEntry): string => (width === undefined ? id : (short.get(id) ?? id));
  const columns: readonly Column<InboxEntry>[] = [
    { text: ({ interaction }) => inertLine(interactionSummary(interaction), summaryCharacters), rank: 0, minWidth: 20 },
    { text: idOf, rank: 0 },
    { text: ({ interaction }) => interaction.request.type, rank: 2 },
    { text: ({ interaction }) => agoText(interaction.openedAt, now), rank: 0 },
    { text: stateOf, rank: 1 },
    { text: ({ title }) => inertLine(title, summaryCharacters), rank: 4, minWidth: 20 },
    { text: ({ sessionId }) => `session ${sessionId}`, rank: 5 },
    { text: ({ cwd }) => inertLine(cwd, summaryCharacters), rank: 3, minWidth: 20 },
  ];
  return tableLines(entries, columns, width);
}

function stateOf({ owner, interaction: { expiresAt } }: InboxEntry): string {
  return isExpired(expiresAt) ? "expired" : owner === null ? "parked" : `process ${owner.processId} waits`;
}

function placeLines({ sessionId, title, cwd, owner }: InboxEntry): readonly string[] {
  const who = owner === null ? "nobody has it open" : `process ${owner.processId} (${inertText(owner.frontend)}) waits`;
  return [`  session ${sessionId}: ${inertLine(title, summaryCharacters)}`, `  ${inertText(cwd)}; ${who}`];
}

function changeObject(change: InboxChange): object {
  const { entry } = change;
  if (change.type === "opened") return { event: "opened", ...asObject(entry) };
  return { event: "settled", id: entry.interaction.id, sessionId: entry.sessionId, settled: change.settled };
}

function changeLine(change: InboxChange): string {
  if (change.type === "opened") return `+ ${listLines([change.entry], [change.entry], undefined).join("")}`;
  const { entry, settled } = change;
  return `- ${entry.interaction.id}  ${settled === null ? "gone with its session" : settledText(settled)}`;
}

function isExpired(expiresAt: number | null): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}
