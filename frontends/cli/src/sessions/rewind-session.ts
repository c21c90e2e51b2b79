import type { ClientIdentity, EngineClient, RewindRequest, SessionEvent, SessionId } from "@capstan/protocol";
import { refusalLine } from "./refusal-line.ts";
import type { Streams } from "../output.ts";
import { createProgress } from "../progress.ts";

/**
 * Takes turns of a session back, or brings them back, and shows what happened.
 * @returns the exit code: 0, or 1 when there was nothing to do or a file was left alone
 */
export async function rewindHere(
  client: EngineClient,
  { id, request, json }: { readonly id: SessionId; readonly request: RewindRequest; readonly json: boolean },
  identity: ClientIdentity,
  { result, progress }: Streams,
): Promise<number> {
  const { receipt, events } = await client.sessions.rewind(id, request, identity);
  const linesOf = json ? jsonLines : textLines(createProgress());
  for (const line of events.flatMap(linesOf)) result.write(`${line}\n`);
  if (receipt.type === "refused") progress.write(`${refusalLine(receipt)}\n`);
  return events.some(isWhole) ? 0 : 1;
}

function jsonLines({ seq, at, record }: SessionEvent): readonly string[] {
  return [JSON.stringify({ ...record, seq, at })];
}

function textLines(progress: ReturnType<typeof createProgress>): (event: SessionEvent) => readonly string[] {
  return (event) => progress(event).map(({ text }) => text);
}

function isWhole({ record }: SessionEvent): boolean {
  return record.type === "rewind-finished" && record.conflicts.length === 0;
}
