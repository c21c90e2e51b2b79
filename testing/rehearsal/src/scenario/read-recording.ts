import { limits } from "../limits.ts";
import { schemaIssues } from "../schema-issue.ts";
import { exchangeSchema } from "./exchange-schema.ts";
import { parseJson } from "./parse-json.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";
import { describe, refuse } from "./refuse-scenario.ts";

/** A file whose exchanges stand on lines of their own. `head`: what is before them; of any other scenario all of it. */
export interface RecordingText {
  readonly head: string;
  readonly lines: readonly RecordedExchange[];
}

/**
 * Takes a recording apart. Its last line may be torn, where whoever wrote it was killed: what stands before it counts.
 * @throws {AppError} `rehearsal.scenario` naming the line
 */
export function readRecording(text: string, name: string): RecordingText {
  const end = text.indexOf("\n");
  const head = text.slice(0, Math.max(0, end));
  if (!isWholeJson(head) || text.slice(end).trim() === "") return { head: text, lines: [] };
  if (Buffer.byteLength(text) > limits.recordingBytes) {
    throw refuse(name, `larger than ${limits.recordingBytes} bytes`, "Record shorter sessions.");
  }
  const lines = text.slice(end + 1).split("\n");
  const last = lines.pop() ?? "";
  const whole = isWholeJson(last) ? [...lines, last] : lines;
  return {
    head,
    lines: whole.flatMap((line, at) => (line.trim() === "" ? [] : [toExchange(line, `${name}:${at + 2}`)])),
  };
}

function toExchange(line: string, name: string): RecordedExchange {
  const value = parseJson(line, name);
  const parsed = exchangeSchema.safeParse(value);
  if (!parsed.success) throw refuse(name, describe(schemaIssues(parsed.error, value)));
  return parsed.data;
}

function isWholeJson(line: string): boolean {
  try {
    JSON.parse(line.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
