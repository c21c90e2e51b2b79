import { type Inbox, type InboxEntry, type Refusal, settledRefusal } from "@capstan/host";
import { AppError, type SessionId } from "@capstan/protocol";
import { type AnswerFlags, answerFor, answerKind } from "../asking/answer-flags.ts";
import { localOrigin } from "../asking/local-origin.ts";
import { withInbox } from "../asking/with-inbox.ts";

export interface AnswerCommandFlags extends AnswerFlags {
  readonly batch?: string;
  readonly digest?: string;
  readonly json?: boolean;
}

/** Characters of a digest that distinguish one action from another. */
const minDigestCharacters = 8;

/** `capstan interactions answer`: exit code 1 when one of the answers changed nothing. */
export async function answerInteractions(ids: readonly string[], flags: AnswerCommandFlags): Promise<number> {
  const kind = answerKind(flags);
  checkDigest(flags.digest);
  if ((ids.length === 0) === (flags.batch === undefined))
    throw new AppError("usage.invalid", "say what to answer: ids, or --batch SESSION");
  if (flags.batch !== undefined && kind !== "approve" && kind !== "deny")
    throw new AppError("usage.invalid", "--batch takes --approve or --deny");
  return withInbox(async (inbox) => {
    const targets = flags.batch === undefined ? ids : await openBatch(inbox, flags.batch);
    let isRefused = false;
    for (const id of targets) {
      const reported = await answerOne(inbox, id, flags);
      isRefused ||= reported.outcome === "refused";
      print(reported, flags.json === true);
    }
    return isRefused ? 1 : 0;
  });
}

/** What became of one answer, as asked. */
interface Reported {
  readonly id: string;
  readonly sessionId: SessionId | null;
  readonly outcome: "accepted" | "refused";
  readonly code?: Refusal["code"];
  readonly text: string;
}

async function answerOne(inbox: Inbox, idOrPrefix: string, flags: AnswerCommandFlags): Promise<Reported> {
  try {
    const found = await inbox.find(idOrPrefix);
    if (found.type === "pending") return await answerPending(inbox, found.entry, flags);
    const { interaction, sessionId, settled } = found;
    return { id: interaction.id, sessionId, outcome: "refused", ...settledRefusal(settled) };
  } catch (error) {
    // One that is not there stands in nobody else's way.
    if (!(error instanceof AppError) || error.code !== "interaction.unknown") throw error;
    return { id: idOrPrefix, sessionId: null, outcome: "refused", code: error.code, text: error.message };
  }
}

async function answerPending(inbox: Inbox, entry: InboxEntry, flags: AnswerCommandFlags): Promise<Reported> {
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
  const report = await inbox.answer(entry, answerFor(interaction, flags), localOrigin());
  if (report.type === "refused") return { id, sessionId, outcome: "refused", code: report.code, text: report.text };
  const { continuedBy } = report;
  const next =
    continuedBy === null
      ? `resume with: capstan run --resume ${sessionId}`
      : `process ${continuedBy.processId} (${continuedBy.frontend}) continues`;
  return { id, sessionId, outcome: "accepted", text: next };
}

/** The approvals that wait in one session. */
async function openBatch(inbox: Inbox, session: string): Promise<readonly string[]> {
  const open = (await inbox.list()).filter(({ sessionId }) => session !== "" && sessionId.startsWith(session));
  const sessions = new Set(open.map(({ sessionId }) => sessionId));
  if (sessions.size > 1)
    throw new AppError("session.ambiguous", `more than one session begins with ${JSON.stringify(session)}`);
  const approvals = open.filter(({ interaction }) => interaction.request.type === "approval");
  if (approvals.length === 0)
    throw new AppError("interaction.unknown", `no approval waits in session ${JSON.stringify(session)}`);
  return approvals.map(({ interaction }) => interaction.id);
}

function checkDigest(digest: string | undefined): void {
  if (digest === undefined || digest.length >= minDigestCharacters) return;
  throw new AppError("usage.invalid", `--digest takes ${minDigestCharacters} characters at least`);
}

function print(reported: Reported, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(reported)}\n`);
  else if (reported.outcome === "accepted") process.stdout.write(`Answered ${reported.id}; ${reported.text}\n`);
  else process.stderr.write(`capstan: ${reported.id}: nothing changed: ${reported.text} [${reported.code}]\n`);
}
