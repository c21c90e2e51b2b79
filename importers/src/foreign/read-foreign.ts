import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { maxLinesLookedAt } from "../limits.ts";
import { isClaudeCode, readClaudeCode } from "./agents/claude-code.ts";
import { isCodex, readCodex } from "./agents/codex.ts";
import { listAt, objectAt, textAt } from "./fields.ts";
import type { ForeignSession } from "./foreign-session.ts";
import { isGeminiCheckpoint, readGeminiCheckpoint } from "./agents/gemini-checkpoint.ts";
import { isGemini, readGemini, readGeminiLines } from "./agents/gemini.ts";
import { Healing } from "./healing.ts";
import { isOpencode, readOpencode } from "./agents/opencode.ts";
import { isPi, readPi } from "./agents/pi.ts";
import { isTedHistory, readTedHistory } from "./agents/ted-history.ts";
import { parseDocument, parseLines } from "./tolerant-json.ts";

export interface ReadForeign {
  readonly session: ForeignSession;
  readonly healing: Healing;
}

/** The session of another agent, recognised by its content; `undefined`: of none that is known. Never fails. */
export function readForeign(text: string): ReadForeign | undefined {
  return readAsLines(text) ?? readAsDocument(text);
}

function readAsLines(text: string): ReadForeign | undefined {
  const healing = new Healing();
  const lines = parseLines(text, healing);
  const head = lines.slice(0, maxLinesLookedAt);
  const [first] = lines;
  // A document on one line is read as such.
  if (first === undefined || (lines.length === 1 && isDocument(first))) return undefined;
  if (isPi(first)) return { session: readPi(lines, healing), healing };
  if (isGemini(first)) return { session: readGeminiLines(lines, healing), healing };
  if (head.some((line) => isClaudeCode(line))) return { session: readClaudeCode(lines, healing), healing };
  if (head.some((line) => isCodex(line))) return { session: readCodex(lines, healing), healing };
  return undefined;
}

function isDocument(line: JsonObject): boolean {
  return Array.isArray(line["messages"]) || Array.isArray(line["items"]) || Array.isArray(line["history"]);
}

function readAsDocument(text: string): ReadForeign | undefined {
  const healing = new Healing();
  const document = parseDocument(text, healing);
  const session = document === undefined ? undefined : sessionOf(document, healing);
  return session === undefined ? undefined : { session, healing };
}

function sessionOf(document: JsonValue, healing: Healing): ForeignSession | undefined {
  if (!isJsonObject(document)) {
    if (!Array.isArray(document)) return undefined;
    if (isGeminiCheckpoint(document)) return readGeminiCheckpoint(document, healing);
    return isTedHistory(document) ? readTedHistory(document, healing) : undefined;
  }
  if (isOpencode(document)) return readOpencode(document, healing);
  if (isGemini(document)) return readGemini(document, healing);
  const history = listAt(document, "history");
  if (isGeminiCheckpoint(history)) return readGeminiCheckpoint(history, healing);
  const items = listAt(document, "items").filter((item) => isJsonObject(item));
  if (objectAt(document, "session") !== undefined && items.some((item) => isCodex(item))) {
    const session = readCodex(items, healing);
    return { ...session, id: textAt(objectAt(document, "session"), "id") };
  }
  return isPi(document) || isClaudeCode(document) || isCodex(document) ? readAsSingle(document, healing) : undefined;
}

/** A file of lines whose first line alone is left, torn. */
function readAsSingle(line: JsonObject, healing: Healing): ForeignSession {
  if (isPi(line)) return readPi([line], healing);
  return isClaudeCode(line) ? readClaudeCode([line], healing) : readCodex([line], healing);
}
