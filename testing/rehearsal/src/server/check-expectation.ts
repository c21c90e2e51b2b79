import type { Expectation, ExpectedResult } from "../scenario/scenario.ts";
import type { ReceivedResult, RequestFacts } from "../wires/wire.ts";

/** Compares a request with what a turn expects of it. @returns what differs, or `undefined` */
export function checkExpectation(expect: Expectation, request: RequestFacts): string | undefined {
  if (expect.lastUserText !== undefined && !expect.lastUserText.test(request.lastUserText)) {
    return `the last user text should match ${String(expect.lastUserText)}, but is ${quote(request.lastUserText)}`;
  }
  const missing = expect.tools?.filter((name) => !request.tools.includes(name)) ?? [];
  if (missing.length > 0) {
    return `tools should be offered: ${missing.join(", ")}; offered are: ${request.tools.join(", ") || "none"}`;
  }
  return expect.toolResults === undefined ? undefined : checkResults(expect.toolResults, request.toolResults);
}

function checkResults(expected: readonly ExpectedResult[], received: readonly ReceivedResult[]): string | undefined {
  if (expected.length !== received.length) {
    return `${expected.length} tool results should come, but ${received.length} came`;
  }
  for (const [index, result] of received.entries()) {
    const difference = differs(expected[index] ?? {}, result);
    if (difference !== undefined) return `tool result ${index} ${difference}`;
  }
  return undefined;
}

function differs(expected: ExpectedResult, result: ReceivedResult): string | undefined {
  if (expected.name !== undefined && expected.name !== result.name) {
    return `should be of ${expected.name}, but is of ${result.name ?? "an unknown call"}`;
  }
  if (expected.isError !== undefined && result.isError !== undefined && expected.isError !== result.isError) {
    return `should ${expected.isError ? "" : "not "}be an error: ${quote(result.content)}`;
  }
  if (expected.contains !== undefined && !result.content.includes(expected.contains)) {
    return `should contain ${quote(expected.contains)}, but is ${quote(result.content)}`;
  }
  return undefined;
}

/** Enough to recognise a text, not enough to flood an error message. */
const quotedLength = 200;

function quote(text: string): string {
  return JSON.stringify(text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text);
}
