import { isJsonObject, type JsonObject, type JsonValue, type UserContent } from "@capstan/protocol";
import { argumentsOf, listAt, objectAt, textAt } from "../fields.ts";
import { inlineMedia } from "../foreign-media.ts";
import type { ForeignBlock, ForeignEntry, ForeignSession } from "../foreign-session.ts";
import { functionResponseContent } from "./gemini-response.ts";
import type { Healing } from "../healing.ts";

/** What the Gemini CLI says in the user's name before the first words, and the answer it gives itself. */
const preamble = /^\s*(?:This is the Gemini CLI\. We are setting up the context|<session_context>)/;
const preambleAnswer = /^\s*Got it\. Thanks for the context!/;

/** Whether a list is what `/chat save` writes: contents with a role and parts. */
export function isGeminiCheckpoint(list: readonly JsonValue[]): boolean {
  return list.some((item) => isJsonObject(item) && typeof item["role"] === "string" && Array.isArray(item["parts"]));
}

/** A saved chat. Its calls may have no ids: then a result belongs to the first open call of its name. */
export function readGeminiCheckpoint(list: readonly JsonValue[], healing: Healing): ForeignSession {
  const reader = new CheckpointReader(healing);
  for (const item of list) if (isJsonObject(item)) reader.content(item);
  return { agent: "Gemini CLI", id: "", entries: reader.entries };
}

class CheckpointReader {
  readonly entries: ForeignEntry[] = [];
  readonly #healing: Healing;
  #open: { readonly id: string; readonly name: string }[] = [];
  #calls = 0;

  constructor(healing: Healing) {
    this.#healing = healing;
  }

  content(content: JsonObject): void {
    const parts = listAt(content, "parts").filter((part) => isJsonObject(part));
    const first = textAt(parts[0], "text");
    if (content["role"] === "model") {
      if (preambleAnswer.test(first)) return;
      const blocks = parts.flatMap((part) => this.#block(part));
      this.entries.push({ type: "answer", blocks, model: "", at: 0 });
      return;
    }
    if (preamble.test(first)) return this.#healing.note("notes of the other agent left out");
    for (const part of parts) this.#result(part);
    const said = parts.flatMap((part) => this.#said(part));
    if (said.length > 0) this.entries.push({ type: "user", content: said, at: 0 });
  }

  #block(part: JsonObject): readonly ForeignBlock[] {
    const call = objectAt(part, "functionCall");
    if (call === undefined) {
      const text = textAt(part, "text");
      return [part["thought"] === true ? { type: "thinking", text } : { type: "text", text }];
    }
    this.#calls += 1;
    const name = textAt(call, "name");
    const callId = textAt(call, "id") || `${name}-${this.#calls}`;
    this.#open.push({ id: callId, name });
    return [{ type: "call", callId, name, arguments: argumentsOf(call["args"]) }];
  }

  #result(part: JsonObject): void {
    const response = objectAt(part, "functionResponse");
    if (response === undefined) return;
    const id = textAt(response, "id");
    const name = textAt(response, "name");
    const place = this.#open.findIndex((call) => (id === "" ? call.name === name : call.id === id));
    const [call] = place === -1 ? [] : this.#open.splice(place, 1);
    const failed = textAt(objectAt(response, "response"), "error") !== "";
    const content = functionResponseContent(part, this.#healing);
    const outcome = failed ? "failed" : "done";
    this.entries.push({ type: "result", callId: call?.id ?? id, ...content, outcome, at: 0 });
  }

  #said(part: JsonObject): readonly UserContent[] {
    if (objectAt(part, "functionResponse") !== undefined) return [];
    const inline = objectAt(part, "inlineData");
    if (inline !== undefined) return inlineMedia(textAt(inline, "mimeType"), textAt(inline, "data"), this.#healing);
    return [{ type: "text", text: textAt(part, "text") }];
  }
}
