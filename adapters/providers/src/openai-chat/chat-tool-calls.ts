import type { JsonObject, JsonValue } from "@capstan/protocol";
import { isTooDeep, objectOf, parseObject, textOf } from "../shared/json-fields.ts";
import { DeltaText } from "../shared/stream/delta-text.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { type OpenToolCall } from "../shared/stream/tool-calls.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import type { OfferedCall } from "./text-calls/offered-calls.ts";

/** One entry of `delta.tool_calls`, read. `index`: `undefined` where the server sends none. */
interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly signature: string;
}

/** The legacy `function_call` has no index; no server sends a negative one. */
const legacyIndex = -1;

/**
 * Puts the calls of one answer together. The wire distinguishes them by `index`; servers that leave it out, give every call
 * the same one, repeat ids and names in every fragment or send arguments whole are understood as well.
 */
export class ChatToolCalls {
  readonly calls: OpenToolCall[] = [];
  private readonly parts: PartBuffer;
  private readonly byIndex: Map<number, OpenToolCall> = new Map();
  private readonly byId: Map<string, OpenToolCall> = new Map();

  constructor(parts: PartBuffer) {
    this.parts = parts;
  }

  /** @param fromEnd  1 for the last entry of its list: where nothing else says, calls come in their order */
  add(entry: JsonValue, fromEnd: number = 1): void {
    const value = objectOf(entry);
    const fragment = value && readFragment(value, value["index"]);
    if (fragment !== undefined) this.take(fragment, fromEnd);
  }

  addLegacy(functionCall: JsonObject): void {
    const fragment = readFragment({ function: functionCall }, legacyIndex);
    if (fragment !== undefined) this.take(fragment);
  }

  /** A call that came as text. */
  addWritten({ name, arguments: args, id = "" }: OfferedCall): void {
    const call = this.open({ id });
    call.name = name;
    this.parts.toolArguments(call.index, wellFormed(name), call.arguments.add(JSON.stringify(wellFormedObject(args))));
  }

  /** No more fragments come. */
  end(): void {
    for (const call of this.calls) this.parts.toolArguments(call.index, wellFormed(call.name), call.arguments.end());
  }

  private take(fragment: Fragment, fromEnd = 1): void {
    const call = this.find(fragment, fromEnd) ?? this.open(fragment);
    if (fragment.index !== undefined) this.byIndex.set(fragment.index, call);
    if (call.id === "" && fragment.id !== "") call.id = fragment.id;
    if (fragment.signature !== "") call.signature ??= fragment.signature;
    if (fragment.id !== "") this.byId.set(fragment.id, call);
    if (call.name === "" || call.arguments.text === "") call.name = extendedName(call.name, fragment.name);
    if (fragment.arguments === "" || isRepeat(call, fragment)) return;
    this.parts.toolArguments(call.index, wellFormed(call.name), call.arguments.add(fragment.arguments));
  }

  private find(fragment: Fragment, fromEnd: number): OpenToolCall | undefined {
    const place = fragment.name === "" ? -fromEnd : -1;
    const last = fragment.index === undefined ? this.calls.at(place) : this.byIndex.get(fragment.index);
    const known = fragment.id === "" ? undefined : this.byId.get(fragment.id);
    if (known !== undefined && last !== undefined) return beginsWhole(known, fragment) ? undefined : known;
    // An id that comes back under a new index, with a name, is a second call whose id the vendor used twice.
    if (known !== undefined && fragment.name === "") return known;
    if (last === undefined || startsAnother(last, fragment)) return undefined;
    return last;
  }

  private open(fragment: Pick<Fragment, "id">): OpenToolCall {
    const call = { index: this.calls.length, id: fragment.id, name: "", arguments: new DeltaText() };
    this.calls.push(call);
    return call;
  }
}

function readFragment(value: JsonObject, index: JsonValue | undefined): Fragment | undefined {
  const called = objectOf(value["function"]) ?? objectOf(value["custom"]) ?? {};
  const args = called["arguments"] ?? called["input"] ?? null;
  return {
    index: typeof index === "number" && Number.isInteger(index) ? index : undefined,
    id: textOf(value["id"]),
    name: textOf(called["name"]),
    arguments: typeof args === "string" ? args : args === null ? "" : JSON.stringify(args),
    signature: value["extra_content"] === undefined ? "" : signatureOf(value["extra_content"]),
  };
}

/** Gemini's proof of what was thought before a call: its text; under another vendor's name (Vertex) all that surrounds it. */
function signatureOf(extra: JsonValue): string {
  const content = objectOf(extra);
  const own = textOf(objectOf(content?.["google"])?.["thought_signature"]);
  if (own !== "" || content === undefined || isTooDeep(content)) return own;
  return Object.values(content).some((part) => textOf(objectOf(part)?.["thought_signature"]) !== "")
    ? JSON.stringify(content)
    : "";
}

/** Whether a fragment that points at `last` begins a call of its own. Only a fragment with a name can. */
function startsAnother(last: OpenToolCall, fragment: Fragment): boolean {
  if (fragment.name === "") return false;
  // A new id with a name is a new call; a new id alone is a server that mints one per fragment.
  if (fragment.id !== "" && last.id !== "") return fragment.id !== last.id;
  if (last.arguments.text === "") {
    return fragment.index === undefined && last.name !== "" && !fragment.name.startsWith(last.name);
  }
  return fragment.name !== last.name || beginsWhole(last, fragment);
}

/** Whether a fragment begins the arguments again although those of its call are complete and differ. */
function beginsWhole(call: OpenToolCall, fragment: Fragment): boolean {
  const isRestart = fragment.name !== "" && fragment.arguments.trimStart().startsWith("{");
  return isRestart && fragment.arguments !== call.arguments.text && isWhole(call);
}

/** Names come whole, repeated in every fragment, growing, or in pieces. */
function extendedName(name: string, fragment: string): string {
  if (fragment === "" || fragment === name) return name;
  return fragment.startsWith(name) ? fragment : name + fragment;
}

/** A server that repeats a finished call adds nothing. */
function isRepeat(call: OpenToolCall, fragment: Fragment): boolean {
  return fragment.arguments === call.arguments.text && isWhole(call);
}

function isWhole(call: OpenToolCall): boolean {
  return call.arguments.text.trimEnd().endsWith("}") && parseObject(call.arguments.text) !== undefined;
}
