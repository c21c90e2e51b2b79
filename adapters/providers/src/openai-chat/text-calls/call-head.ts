import { mayBeginCall } from "./json-calls.ts";
import { callMarks, fence } from "./read-calls.ts";

/** What the beginning of held text says: a call may follow, none can, or more is needed to say. */
type Verdict = "may-be" | "cannot-be" | "unknown";

/** Languages that models name over a call. */
const callLanguages = /^(?:|json5?|jsonc|tool_calls?|tool_code|tool_use|tools?|function(?:_call)?|xml)$/i;
/** Longer first keys belong to no call, in characters. */
const keyChars = 64;

/** Judges text that begins with a mark, a fence or bare JSON; what it says once it says of every longer text as well. */
export function judgeHead(text: string): Verdict {
  if (text.startsWith(fence)) return judgeFence(text);
  const mark = callMarks.find((word) => text.startsWith(word));
  if (mark === undefined) return callMarks.some((word) => word.startsWith(text)) ? "unknown" : judgeJson(text);
  const body = text.slice(mark.length).trimStart();
  return body === "" ? "unknown" : judgeBody(mark, body);
}

function judgeFence(text: string): Verdict {
  const end = text.indexOf("\n");
  const language = (end === -1 ? text : text.slice(0, end)).slice(fence.length).trim();
  if (end === -1) return language.length > keyChars ? "cannot-be" : "unknown";
  if (!callLanguages.test(language)) return "cannot-be";
  const body = text.slice(end).trimStart();
  const mark = callMarks.find((word) => body.startsWith(word));
  if (mark !== undefined) return "may-be";
  if (body === "" || callMarks.some((word) => word.startsWith(body))) return "unknown";
  return judgeJson(body);
}

function judgeBody(mark: string, body: string): Verdict {
  switch (mark) {
    case "<tool_call>":
      if (/^[{[]/.test(body)) return judgeJson(body);
      return shaped(body, /^(?:<function=|[\w.:-]+\s*<arg_key>|[\w.:-]+\s*<\/tool_call>)/);
    case "<function=":
      return shaped(body, /^[\w.:-]+>\s*[{<]/);
    case "[TOOL_CALLS]":
      return /^[{[]/.test(body) ? judgeJson(body) : shaped(body, /^[\w.:-]+(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\])?\s*\{/);
    case "<|python_tag|>":
      return judgeJson(body);
    default:
      return body.startsWith("<") ? "may-be" : "cannot-be";
  }
}

/** Short beginnings may still take the shape. */
function shaped(body: string, shape: RegExp): Verdict {
  if (shape.test(body)) return "may-be";
  return body.length <= keyChars * 2 && /^[\w.:<=/>[\]-]*\s*[\w</_]*$/.test(body) ? "unknown" : "cannot-be";
}

/** JSON that is a call says so with its first key. */
function judgeJson(text: string): Verdict {
  const [head = "", key, quote] = /^[{[\s]*(?:"([^"\\]*)("?))?/.exec(text) ?? [];
  if (quote === '"') return mayBeginCall(key ?? "") ? "may-be" : "cannot-be";
  return head.length === text.length && (key ?? "").length <= keyChars ? "unknown" : "cannot-be";
}
