import type { ClientIdentity, CompactionRecord, EngineClient, SessionEvent, SessionId } from "@capstan/protocol";
import { inertText, tokensText } from "@capstan/view";
import type { Streams } from "../output.ts";
import { refusalLine } from "./refusal-line.ts";

/** What is shown of it: what the model no longer sees, and what it sees in its place. */
export interface CompactOptions {
  readonly id: SessionId;
  readonly json: boolean;
}

type Ended = Exclude<CompactionRecord, { readonly type: "compaction-started" }>;

/**
 * Has the model summarise a session's older messages, and shows what stands in their place. The originals stay in the session.
 * @returns the exit code: 0 when a summary stands in for messages, 1 when there was nothing to summarise or it failed
 */
export async function compactHere(
  client: EngineClient,
  { id, json }: CompactOptions,
  identity: ClientIdentity,
  { result, progress }: Streams,
): Promise<number> {
  const session = await client.open({ type: "resume", id }, { identity, purpose: "drive", resume: "wait" });
  try {
    const { seq } = await session.snapshot();
    const receipt = await session.submit({ type: "compact" });
    if (receipt.type === "refused") {
      progress.write(`${refusalLine(receipt)}\n`);
      return 1;
    }
    for await (const frame of session.attach(seq)) {
      if (frame.type === "closed") break;
      if (frame.type !== "record") continue;
      if (json)
        result.write(`${JSON.stringify({ ...frame.event.record, seq: frame.event.seq, at: frame.event.at })}\n`);
      const line = json ? null : lineOf(frame.event);
      if (line !== null) (line.isResult ? result : progress).write(`${line.text}\n`);
      const exitCode = exitCodeOf(frame.event);
      if (exitCode !== null) return exitCode;
    }
    progress.write(`The session was closed before the summary was there; try: capstan sessions compact ${id}\n`);
    return 1;
  } finally {
    await session.close();
  }
}

function exitCodeOf({ record }: SessionEvent): number | null {
  if (record.type === "compaction-completed") return 0;
  const isNothing = record.type === "notice" && record.code === "compaction.nothing";
  return record.type === "compaction-failed" || isNothing ? 1 : null;
}

function lineOf({ record }: SessionEvent): { readonly text: string; readonly isResult: boolean } | null {
  switch (record.type) {
    case "compaction-started":
      return { text: `Summarising the first ${record.messageCount} messages …`, isResult: false };
    case "step-retrying":
      return { text: `It failed (${inertText(record.failure.message)}) and is tried again.`, isResult: false };
    case "notice":
      return { text: inertText(record.text), isResult: false };
    case "compaction-failed":
      return { text: `The summary failed: ${inertText(record.message)}. Nothing changed.`, isResult: false };
    case "compaction-completed":
      return { text: summaryText(record), isResult: true };
    default:
      return null;
  }
}

function summaryText({
  summary,
  kept = [],
  messageCount,
  usage,
}: Extract<Ended, { type: "compaction-completed" }>): string {
  const words = kept.map(({ kind, text }) => `  ${kind}: ${inertText(text)}`);
  return [
    inertText(summary),
    ...(words.length === 0 ? [] : ["", "Word for word:", ...words]),
    "",
    `This stands in for the first ${messageCount} messages; the originals stay in the session. ${tokensText(usage.inputTokens)} tokens in, ${tokensText(usage.outputTokens)} out.`,
  ].join("\n");
}
