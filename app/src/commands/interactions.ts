import { answerCommands, duration, interactionLines } from "@capstan/cli";
import { type InboxEntry, type InboxEvent, settledRefusal } from "@capstan/host";
import { inertLine, inertText, interactionSummary } from "@capstan/view";
import { paintLine } from "../asking/paint-line.ts";
import { onStopSignal, wantsColors } from "../terminal.ts";
import { withInbox } from "../asking/with-inbox.ts";

export { answerInteractions } from "./answer-interactions.ts";

const summaryCharacters = 120;

export interface ListFlags {
  readonly session?: string;
  readonly json?: boolean;
}

/** `capstan interactions list`: what waits, oldest first. */
export async function listInteractions(flags: ListFlags): Promise<number> {
  return withInbox(async (inbox) => {
    const entries = (await inbox.list()).filter(({ sessionId }) => sessionId.startsWith(flags.session ?? ""));
    for (const entry of entries) print(flags.json === true ? JSON.stringify(asObject(entry)) : entryLine(entry));
    if (entries.length === 0 && flags.json !== true) print("Nothing waits for an answer.");
    return 0;
  });
}

/** `capstan interactions show ID`: everything it takes to decide. */
export async function showInteraction(id: string, flags: { readonly json?: boolean }): Promise<number> {
  return withInbox(async (inbox) => {
    const found = await inbox.find(id);
    const interaction = found.type === "pending" ? found.entry.interaction : found.interaction;
    if (flags.json === true) {
      const settled = found.type === "settled" ? { sessionId: found.sessionId, settled: found.settled } : {};
      const object = found.type === "pending" ? asObject(found.entry) : { ...interaction, ...settled };
      print(JSON.stringify(object, null, 2));
      return 0;
    }
    const colors = wantsColors(process.stdout);
    print(`${interaction.request.type} ${interaction.id}`);
    if (found.type === "pending") for (const line of placeLines(found.entry)) print(line);
    else print(`  Settled: ${settledRefusal(found.settled).text}.`);
    for (const line of interactionLines(interaction, Date.now())) print(paintLine(line, colors));
    if (found.type === "settled") return 0;
    print("Answers:");
    for (const { about, command } of answerCommands(interaction)) print(`  ${about}:\n    ${command}`);
    return 0;
  });
}

/** `capstan interactions watch`: until it is stopped, which is how it is meant to end. */
export async function watchInteractions(flags: { readonly json?: boolean }): Promise<number> {
  return withInbox(async (inbox) => {
    const controller = new AbortController();
    const stopHearing = onStopSignal(() => controller.abort());
    await inbox.watch(controller.signal, (event) => {
      if (flags.json === true) print(JSON.stringify(eventObject(event)));
      else print(eventLine(event));
    });
    stopHearing();
    return 0;
  });
}

function asObject({ interaction, ...place }: InboxEntry): object {
  return { ...interaction, ...place, expired: isExpired(interaction.expiresAt) };
}

function entryLine({ sessionId, cwd, owner, interaction }: InboxEntry): string {
  const { id, request, openedAt, expiresAt } = interaction;
  const age = `${duration(Date.now() - openedAt)} ago`;
  const state = isExpired(expiresAt) ? "expired" : owner === null ? "parked" : `process ${owner.processId} waits`;
  const summary = inertLine(interactionSummary(interaction), summaryCharacters);
  return `${id}  ${request.type}  ${age}  ${state}  session ${sessionId}  ${inertLine(cwd, summaryCharacters)}  ${summary}`;
}

function placeLines({ sessionId, title, cwd, owner }: InboxEntry): readonly string[] {
  const who = owner === null ? "nobody has it open" : `process ${owner.processId} (${inertText(owner.frontend)}) waits`;
  return [`  session ${sessionId}: ${inertLine(title, summaryCharacters)}`, `  ${inertText(cwd)}; ${who}`];
}

function eventObject(event: InboxEvent): object {
  const { entry } = event;
  if (event.type === "opened") return { event: "opened", ...asObject(entry) };
  const { id } = entry.interaction;
  return { event: "settled", id, sessionId: entry.sessionId, settled: event.settled };
}

function eventLine({ type, entry, ...rest }: InboxEvent): string {
  if (type === "opened") return `+ ${entryLine(entry)}`;
  const settled = "settled" in rest ? rest.settled : null;
  return `- ${entry.interaction.id}  ${settled === null ? "gone with its session" : settledRefusal(settled).text}`;
}

function isExpired(expiresAt: number | null): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
