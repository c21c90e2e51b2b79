import type { Finding } from "../wire-problem.ts";
import type { GoogleContent, NamedCall } from "./google-request.ts";

/** The calls of a model's content are answered, all and in order, at the start of the content that follows; nothing else is. */
export function checkPairs(contents: readonly GoogleContent[]): Finding | undefined {
  for (const [index, content] of contents.entries()) {
    const calls = callsOf(contents[index - 1]);
    const finding = checkResponses(content, calls, ["contents", index]);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** The function calls of a content, in order. */
function callsOf(content: GoogleContent | undefined): readonly NamedCall[] {
  return (content?.parts ?? []).flatMap((part) => (part.functionCall === undefined ? [] : [part.functionCall]));
}

function checkResponses(
  content: GoogleContent,
  calls: readonly NamedCall[],
  path: readonly PropertyKey[],
): Finding | undefined {
  const responses = content.parts.flatMap(({ functionResponse }, at) =>
    functionResponse === undefined ? [] : [{ functionResponse, at }],
  );
  if (responses.length > 0 && calls.length === 0) {
    return {
      path,
      message: "Please ensure that function response turn comes immediately after a function call turn.",
    };
  }
  if (responses.length !== calls.length) {
    return {
      path,
      message:
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    };
  }
  for (const [order, { functionResponse, at }] of responses.entries()) {
    const message =
      at === order ? mismatch(functionResponse, calls[order]) : "function responses come first in their content";
    if (message !== undefined) return { path: [...path, "parts", at], message };
  }
  return undefined;
}

function mismatch(response: NamedCall, call: NamedCall | undefined): string | undefined {
  if (call === undefined) return "there is no such call";
  if (response.name !== call.name) {
    return `the function response is of ${response.name}, but the call in its place is of ${call.name}`;
  }
  if (response.id === call.id) return undefined;
  return `the function response's id is ${response.id ?? "missing"}, but the call in its place has ${call.id ?? "none"}`;
}
