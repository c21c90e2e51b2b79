import {
  type ClientIdentity,
  type EngineClient,
  readRecord,
  type SessionEvent,
  type SessionId,
} from "@capstan/protocol";
import { markdownTranscript } from "../transcript/markdown-transcript.ts";

export interface ExportRequest {
  readonly format: "jsonl" | "markdown";
  /** With its secrets. */
  readonly exact: boolean;
}

/** A session as a file: its lines without line ends, lossless (`jsonl`) or to read (`markdown`). */
export async function* exportLines(
  client: EngineClient,
  id: SessionId,
  { format, exact }: ExportRequest,
  identity: ClientIdentity,
): AsyncGenerator<string> {
  const lines = client.sessions.export(id, { exact }, identity);
  if (format === "jsonl") {
    yield* lines;
    return;
  }
  const events: SessionEvent[] = [];
  for await (const line of lines) events.push(...eventOf(line));
  yield* markdownTranscript(id, events, exact ? "" : "Secrets were taken out.");
}

/** The event of a line; none for the header, and for a record that only a later Capstan knows. */
function eventOf(line: string): readonly SessionEvent[] {
  const { seq, at, record: stored }: { seq?: number; at?: number; record?: unknown } = JSON.parse(line);
  const read = readRecord(stored);
  if (seq === undefined || at === undefined || read.type !== "record") return [];
  return [{ seq, at, record: read.record }];
}
