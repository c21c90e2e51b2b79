import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { Healing } from "./healing.ts";

/** The objects of a file of JSON lines. A last line that does not parse was torn; others that do not are skipped; both are counted. */
export function parseLines(text: string, healing: Healing): readonly JsonObject[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line, at): readonly JsonObject[] => {
    const value = parsed(line);
    if (isJsonObject(value)) return [value];
    healing.note(at === lines.length - 1 ? "torn end dropped" : "unreadable lines skipped");
    return [];
  });
}

/** One JSON document; one that breaks off is closed after its last whole part. `undefined`: not JSON at all. */
export function parseDocument(text: string, healing: Healing): JsonValue | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const value = parsed(closed(text));
  if (value !== undefined) healing.note("torn end dropped");
  return value;
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives nothing but JSON.
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The text up to its last whole value, with every open list and object closed. */
function closed(text: string): string {
  const scan: Scan = { open: "", end: 0, closers: "" };
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (quoted && sign === "\\") at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted) see(scan, sign, at);
  }
  return text.slice(0, scan.end) + scan.closers;
}

/** `open`: what closes the open structures, innermost first; `end`, `closers`: the last place at which everything is whole. */
interface Scan {
  open: string;
  end: number;
  closers: string;
}

function see(scan: Scan, sign: string, at: number): void {
  if (sign === ",") keep(scan, at);
  else if (sign === "{" || sign === "[") {
    scan.open = (sign === "{" ? "}" : "]") + scan.open;
    keep(scan, at + 1);
  } else if (sign === "}" || sign === "]") {
    scan.open = scan.open.slice(1);
    keep(scan, at + 1);
  }
}

function keep(scan: Scan, end: number): void {
  scan.end = end;
  scan.closers = scan.open;
}
