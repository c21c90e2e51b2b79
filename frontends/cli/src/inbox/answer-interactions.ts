import {
  AppError,
  type FoundInteraction,
  type InboxEntry,
  type InteractionAnswer,
  type RefusalCode,
  type SessionId,
} from "@capstan/protocol";
import type { CommandContext } from "../command-context.ts";
import { type AnswerFlags, answerFor, answerKind } from "./answer-flags.ts";
import { settledText } from "./settled-text.ts";

export interface AnswerCommandFlags extends AnswerFlags {
  readonly batch?: string;
  readonly digest?: string;
  readonly json?: boolean;
}

/** Characters of a digest that distinguish one action from another. */
const minDigestCharacters = 8;

/** `capstan interactions answer`: exit code 1 when one of the answers changed nothing. */
export async function answerInteractions(
  context: CommandContext,
  ids: readonly string[],
  flags: AnswerCommandFlags,
): Promise<number> {
  checkFlags(ids, flags);
  const targets = flags.batch === undefined ? ids : await openBatch(context, flags.batch);
  let isRefused = false;
  for (const id of targets) {
    const reported = await answerOne(context, id, flags);
    isRefused ||= reported.outcome === "refused";
    tell(context, reported, flags.json === true);
  }
  return isRefused ? 1 : 0;
}

/** @throws AppError `usage.invalid` */
function checkFlags(ids: readonly string[], flags: AnswerCommandFlags): void {
  const kind = answerKind(flags);
  checkDigest(flags.digest);
  if ((ids.length === 0) === (flags.batch === undefined))
    throw new AppError("usage.invalid", "say what to answer: ids, or --batch SESSION");
  if (flags.batch !== undefined && kind !== "approve" && kind !== "deny")
    throw new AppError("usage.invalid", "--batch takes --approve or --deny");
}

/** What became of one answer, as asked. */
export interface Reported {
  readonly id: string;
  readonly sessionId: SessionId | null;
  readonly outcome: "accepted" | "refused";
  readonly code?: RefusalCode;
  readonly text: string;
}

async function answerOne(context: CommandContext, idOrPrefix: string, flags: AnswerCommandFlags): Promise<Reported> {
  try {
    const found = await context.client.interactions.find(idOrPrefix);
    return found.type === "pending" ? await answerPending(context, found.entry, flags) : tooLate(found);
  } catch (error) {
    // One that is not there stands in nobody else's way.
    if (!(error instanceof AppError) || error.code !== "interaction.unknown") throw error;
    return { id: idOrPrefix, sessionId: null, outcome: "refused", code: error.code, text: error.message };
  }
}

export function tooLate({
  interaction,
  sessionId,
  settled,
}: Extract<FoundInteraction, { readonly type: "settled" }>): Reported {
  const code = settled.answer.type === "expired" ? "interaction.expired" : "interaction.settled";
  return { id: interaction.id, sessionId, outcome: "refused", code, text: settledText(settled) };
}

async function answerPending(context: CommandContext, entry: InboxEntry, flags: AnswerCommandFlags): Promise<Reported> {
  const { sessionId, interaction } = entry;
  const { id, digest } = interaction;
  if (
    flags.digest !== undefined &&
    !digest.startsWith(flags.digest.toLowerCase()) &&
    !digest.startsWith(flags.digest)
  ) {
    const text = `what is asked has the digest ${digest}; your answer is to another`;
    return { id, sessionId, outcome: "refused", code: "interaction.stale", text };
  }
  return await sendAnswer(context, entry, answerFor(interaction, flags));
}

/** Gives the answer, and says what became of it. */
export async function sendAnswer(
  { client, identity }: CommandContext,
  { sessionId, interaction: { id }, owner }: InboxEntry,
  answer: InteractionAnswer,
): Promise<Reported> {
  const receipt = await client.interactions.answer({ sessionId, interactionId: id }, answer, identity);
  if (receipt.type === "refused")
    return { id, sessionId, outcome: "refused", code: receipt.code, text: receipt.reason };
  const text =
    owner === null
      ? `resume with: capstan run --resume ${sessionId}`
      : `process ${owner.processId} (${owner.frontend}) continues`;
  return { id, sessionId, outcome: "accepted", text };
}

/** The approvals that wait in one session. */
async function openBatch({ client }: CommandContext, session: string): Promise<readonly string[]> {
  const id = await client.sessions.resolve(session);
  const open = (await client.interactions.list()).filter(({ sessionId }) => sessionId === id);
  const approvals = open.filter(({ interaction }) => interaction.request.type === "approval");
  if (approvals.length === 0)
    throw new AppError("interaction.unknown", `no approval waits in session ${id}`, {
      hint: "Try: capstan interactions list",
    });
  return approvals.map(({ interaction }) => interaction.id);
}

function checkDigest(digest: string | undefined): void {
  if (digest === undefined || digest.length >= minDigestCharacters) return;
  throw new AppError("usage.invalid", `--digest takes ${minDigestCharacters} characters at least`);
}

export function tell({ streams: { result, progress } }: CommandContext, reported: Reported, asJson: boolean): void {
  if (asJson) result.write(`${JSON.stringify(reported)}\n`);
  else if (reported.outcome === "accepted") result.write(`Answered ${reported.id}; ${reported.text}\n`);
  else progress.write(`capstan: ${reported.id}: nothing changed: ${reported.text} [${reported.code}]\n`);
}
