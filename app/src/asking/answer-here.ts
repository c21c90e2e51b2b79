import { agoText, type AnswerCommandFlags, answerInteractions, askAndAnswer, hasAnswer } from "@capstan/cli";
import { AppError, candidatesText, type EngineClient, type InboxEntry } from "@capstan/protocol";
import { inertLine, interactionSummary } from "@capstan/view";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { quoted } from "../installation/shell-text.ts";
import { canChoose, choose } from "../joining/choose.ts";
import { withClient } from "../joining/open-client.ts";
import { processStreams, wantsColors } from "../terminal.ts";
import { terminalAsker } from "./ask-terminal.ts";
import { identityHere } from "./local-origin.ts";

const summaryCharacters = 80;

/** `capstan answer`: what waits in this directory, or what is named. Exit code 1 when an answer changed nothing. */
export async function answerHere(
  ids: readonly string[],
  flags: AnswerCommandFlags & Omit<SettingsFlags, "deny">,
): Promise<number> {
  // `--deny` is an answer here, and no rule.
  const { deny: _answer, ...place } = flags;
  return await withClient(place, async (client, { workspace }) => {
    const streams = { ...processStreams(false), colors: wantsColors(process.stdout) };
    const context = { client, identity: identityHere("operate"), streams };
    const isNamed = ids.length > 0 || flags.batch !== undefined;
    if (!hasAnswer(flags)) await requireKnown(client, ids);
    const meant = isNamed ? ids : [await interactionHere(client, workspace.cwd)];
    if (hasAnswer(flags) || !canChoose()) return await answerInteractions(context, meant, flags);
    const terminal = terminalAsker(process.stdin, process.stderr, wantsColors(process.stderr));
    return await askAndAnswer(context, meant, terminal);
  });
}

/** Several words that name nothing are a prompt that begins like this command; a single one was meant as an id. @throws {AppError} `usage.invalid` */
async function requireKnown(client: EngineClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const found = await client.interactions.find(id).catch((error: unknown) => error);
    if (found instanceof AppError && found.code === "interaction.unknown")
      throw new AppError("usage.invalid", found.message, {
        hint: `Try: capstan ${ids.length > 1 ? `run ${quoted(["answer", ...ids].join(" "))}` : "interactions list"}`,
        cause: found,
      });
    if (found instanceof Error) throw found;
  }
}

/** The one that waits in this directory; of several a user at a terminal picks one. @throws {AppError} `usage.invalid` */
async function interactionHere(client: EngineClient, cwd: string): Promise<string> {
  const here = (await client.interactions.list()).filter((entry) => entry.cwd === cwd);
  const [only, another] = here;
  if (only === undefined)
    throw new AppError("usage.invalid", `nothing waits for an answer in ${cwd}`, {
      hint: "Try: capstan interactions list",
    });
  if (another === undefined) return only.interaction.id;
  if (canChoose())
    return await choose(
      "Several questions wait here:",
      here.map((entry) => ({ value: entry.interaction.id, line: choiceLine(entry) })),
    );
  const candidates = here.map((entry) => ({ id: entry.interaction.id, about: about(entry) }));
  throw new AppError("usage.invalid", `${here.length} questions wait here: ${candidatesText(candidates)}`, {
    hint: "Try: capstan interactions list",
  });
}

function choiceLine(entry: InboxEntry): string {
  return `${about(entry)} · ${agoText(entry.interaction.openedAt, Date.now())}`;
}

function about({ interaction }: InboxEntry): string {
  return inertLine(interactionSummary(interaction), summaryCharacters);
}
