import { type JsonObject, readNumberedCallId } from "@capstan/protocol";
import { objectOf } from "../../shared/json-fields.ts";
import { callsOfJson, readJson, type WrittenCall } from "./json-calls.ts";

/** Calls at one place of a text, and where they end. */
interface Found {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

type ReadCalls = (text: string, from: number) => Found | undefined;

/** How models write calls when a server does not read them: each begins with its own mark. */
const forms: readonly { readonly mark: string; readonly read: ReadCalls }[] = [
  // Hermes, Qwen, GLM.
  { mark: "<tool_call>", read: readToolCallTag },
  // Llama, Qwen 3 Coder.
  { mark: "<function=", read: readFunctionTag },
  { mark: "[TOOL_CALLS]", read: readMistralCalls },
  // Llama 3.
  { mark: "<|python_tag|>", read: (text, from) => readJsonCalls(text, from) },
  { mark: "<｜tool▁calls▁begin｜>", read: readDeepSeekCalls },
  { mark: "<|tool_calls_section_begin|>", read: readKimiCalls },
];

export const callMarks: readonly string[] = forms.map((form) => form.mark);
export const fence = "```";

/** End marks of models that servers sometimes leave in the text. */
const endMark = /\s*(?:<\|e(?:om|ot)_id\|>|<｜end▁of▁sentence｜>|<\|im_end\|>|<\/s>)/y;

/**
 * The calls a text is made of, in any of the forms; `undefined` when there is none, or when there is other text between or after
 * them. Bare JSON counts only where nothing else is.
 */
export function readCalls(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const found = readAt(text, at);
    if (found === undefined) return undefined;
    calls.push(...found.calls);
    at = skip(text, after(endMark, text, found.end));
  }
  return calls.length === 0 ? undefined : calls;
}

/** The first calls in a marked form at the beginning of a text. */
export function readFirstCalls(text: string): Found | undefined {
  return readAt(text, 0);
}

function readAt(text: string, at: number): Found | undefined {
  const form = forms.find(({ mark }) => text.startsWith(mark, at));
  if (form !== undefined) return form.read(text, at + form.mark.length);
  return text.startsWith(fence, at) ? readFence(text, at) : readJsonCalls(text, at);
}

function readFence(text: string, from: number): Found | undefined {
  const calls: WrittenCall[] = [];
  let at = skip(text, after(/```[ \t]*[\w+-]*[ \t]*(?:\r?\n|$)/y, text, from));
  while (at < text.length && !text.startsWith(fence, at)) {
    const form = forms.find(({ mark }) => text.startsWith(mark, at));
    const found = form === undefined ? readJsonCalls(text, at) : form.read(text, at + form.mark.length);
    if (found === undefined) return undefined;
    calls.push(...found.calls);
    at = skip(text, found.end);
  }
  return { calls, end: text.startsWith(fence, at) ? at + fence.length : at };
}

/** One JSON value or several, with white space, commas or semicolons between. */
function readJsonCalls(text: string, from: number): Found | undefined {
  const calls: WrittenCall[] = [];
  let at = skip(text, from);
  let end = at;
  while (text[at] === "{" || text.startsWith("[{", at) || (text[at] === "[" && calls.length === 0)) {
    const json = readJson(text, at);
    const found = json === undefined ? undefined : callsOfJson(json.value);
    if (json === undefined || found === undefined) return undefined;
    calls.push(...found);
    end = json.end;
    at = after(/[\s;,]*/y, text, end);
  }
  return calls.length === 0 ? undefined : { calls, end };
}

function readToolCallTag(text: string, from: number): Found | undefined {
  const at = skip(text, from);
  const found = text.startsWith("<function=", at)
    ? readFunctionTag(text, at + "<function=".length)
    : (readJsonCalls(text, at) ?? readKeyedCall(text, at));
  return found && { ...found, end: after(/\s*<\/tool_call>/y, text, found.end) };
}

/** GLM: the name, then `<arg_key>` and `<arg_value>` in turn. */
function readKeyedCall(text: string, from: number): Found | undefined {
  const [head = "", name = ""] = matchAt(/([\w.:-]+)\s*(?=<)/y, text, from) ?? [];
  if (name === "") return undefined;
  const args: Record<string, string> = {};
  let at = from + head.length;
  for (;;) {
    const pair = matchAt(/<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>\s*/y, text, at);
    if (pair === undefined) break;
    args[(pair[1] ?? "").trim()] = pair[2] ?? "";
    at += pair[0].length;
  }
  return text.startsWith("</tool_call>", at) ? { calls: [untyped(name, args)], end: at } : undefined;
}

/** `<function=name>` with JSON, or with one `<parameter=…>` per argument; a stray `</tool_call>` belongs to it. */
function readFunctionTag(text: string, from: number): Found | undefined {
  const [head = "", name = ""] = matchAt(/([\w.:-]+)>\s*/y, text, from) ?? [];
  if (name === "") return undefined;
  const start = from + head.length;
  const tail = /\s*<\/function>(?:\s*<\/tool_call>)?/y;
  const json = readArguments(text, start, name);
  if (json !== undefined) return { ...json, end: after(tail, text, json.end) };
  const { args, end } = readParameters(text, start);
  const [closed] = matchAt(tail, text, end) ?? [];
  // Without its end the call may be cut.
  return closed === undefined ? undefined : { calls: [untyped(name, args)], end: end + closed.length };
}

function readParameters(text: string, from: number): { readonly args: JsonObject; readonly end: number } {
  const args: Record<string, string> = {};
  const parameter = /\s*<parameter=([\w.:-]+)>([^]*?)<\/parameter>(?=\s*(?:<parameter=|<\/function>))/y;
  let at = from;
  for (;;) {
    const match = matchAt(parameter, text, at);
    if (match === undefined) return { args, end: at };
    args[match[1] ?? ""] = (match[2] ?? "").replace(/^\r?\n/, "").replace(/\r?\n$/, "");
    at += match[0].length;
  }
}

/** A list of calls, or a name and its arguments. */
function readMistralCalls(text: string, from: number): Found | undefined {
  const [head = "", name = ""] =
    matchAt(/\s*([\w.:-]+)(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\])?\s*(?=\{)/y, text, from) ?? [];
  return name === "" ? readJsonCalls(text, from) : readArguments(text, from + head.length, name);
}

/** An object with the arguments of a call whose name is known. */
function readArguments(text: string, from: number, name: string): Found | undefined {
  const json = text[from] === "{" ? readJson(text, from) : undefined;
  const args = json && objectOf(json.value);
  return json === undefined || args === undefined ? undefined : { calls: [{ name, arguments: args }], end: json.end };
}

/** V3 and R1 fence the arguments after `function` and the name; V3.1 writes them bare after the name. */
function readDeepSeekCalls(text: string, from: number): Found | undefined {
  const head =
    /\s*<｜tool▁call▁begin｜>\s*(?:function\s*<｜tool▁sep｜>\s*([\w.:-]+)\s*```(?:json)?|([\w.:-]+)\s*<｜tool▁sep｜>)\s*/y;
  const tail = /\s*(?:```)?\s*<｜tool▁call▁end｜>/y;
  return readSection(text, from, { head, tail, end: /\s*<｜tool▁calls▁end｜>/y });
}

function readKimiCalls(text: string, from: number): Found | undefined {
  const head = /\s*<\|tool_call_begin\|>\s*([\w.-]+(?::\d+)?)\s*<\|tool_call_argument_begin\|>\s*/y;
  return readSection(text, from, { head, tail: /\s*<\|tool_call_end\|>/y, end: /\s*<\|tool_calls_section_end\|>/y });
}

interface Section {
  readonly head: RegExp;
  readonly tail: RegExp;
  readonly end: RegExp;
}

function readSection(text: string, from: number, section: Section): Found | undefined {
  const calls: WrittenCall[] = [];
  let at = from;
  for (;;) {
    const head = matchAt(section.head, text, at);
    if (head === undefined) break;
    const id = head[1] ?? head[2] ?? "";
    const found = readArguments(text, at + head[0].length, id.replace(/:\d+$/, ""));
    if (found === undefined) return undefined;
    // Kimi names a call by its id, and wants it back; of the others this is a name only.
    calls.push(...(readNumberedCallId(id) === undefined ? found.calls : found.calls.map((call) => ({ ...call, id }))));
    at = after(section.tail, text, found.end);
  }
  return calls.length === 0 ? undefined : { calls, end: after(section.end, text, at) };
}

function untyped(name: string, args: JsonObject): WrittenCall {
  return { name, arguments: args, untyped: true };
}

/** The match of a sticky pattern at one place. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The place after what a sticky pattern matches, or the same place. */
function after(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}

function skip(text: string, at: number): number {
  return after(/\s*/y, text, at);
}
