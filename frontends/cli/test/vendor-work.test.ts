import { type AssistantBlock, type JsonObject, type JsonValue, toStepId } from "@capstan/protocol";
import { message, testUsage } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createProgress } from "../src/progress.ts";

function shown(...content: readonly (AssistantBlock | string)[]): readonly string[] {
  const lines = createProgress()({
    seq: 1,
    at: 0,
    record: {
      type: "step-completed",
      stepId: toStepId("turn-1.s1"),
      message: message(...content),
      reason: "stop",
      usage: testUsage,
      costUsd: 0,
    },
  });
  return lines.map(({ tone, text }) => `${tone} ${text}`);
}

function check(items: readonly JsonObject[], expected: readonly string[]): void {
  expect(shown(...items.map((item): AssistantBlock => ({ type: "provider-item", item })))).toEqual(expected);
}

function cited(...citations: readonly JsonValue[]): AssistantBlock {
  return { type: "text", text: "so it is", citations };
}

test("an answer without tools of the vendor's and without sources has no lines", () => {
  expect(shown("hello")).toEqual([]);
  check([{ type: "reasoning", id: "rs_1", summary: [] }], []);
  check([{ text: "", thoughtSignature: "c2ln" }], []);
});

test("what Anthropic's tools did, a line a call, and why one failed", () => {
  const use = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "capstan" } };
  check([use, { type: "web_search_tool_result", tool_use_id: "s1", content: [] }], ["muted ▸ web_search: capstan"]);
  check(
    [
      { ...use, name: "web_fetch", input: { url: "https://a.test" } },
      {
        type: "web_fetch_tool_result",
        tool_use_id: "s1",
        content: { type: "web_fetch_tool_result_error", error_code: "url_not_accessible" },
      },
    ],
    ["muted ▸ web_fetch: https://a.test", "bad ✗ web_fetch: url_not_accessible"],
  );
  check([{ type: "web_search_tool_result", tool_use_id: "earlier", content: [] }], ["muted ▸ web_search: answered"]);
  check(
    [
      { type: "mcp_tool_use", id: "m1", name: "find", server_name: "files", input: { what: "a.ts" } },
      { type: "mcp_tool_result", tool_use_id: "m1", is_error: true, content: [] },
    ],
    ["muted ▸ files/find: a.ts", "bad ✗ mcp: failed"],
  );
  check(
    [{ ...use, name: "bash_code_execution", input: { command: "seq 3\nls" } }],
    ["muted ▸ bash_code_execution: seq 3 ⏎ ls"],
  );
});

test("what OpenAI's tools did", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  check([{ ...search, action: { type: "search", query: "capstan" } }], ["muted ▸ web_search: capstan"]);
  check([{ ...search, action: { type: "open_page", url: "https://a.test" } }], ["muted ▸ web_search: https://a.test"]);
  check([{ ...search, status: "failed" }], ["bad ✗ web_search: failed"]);
  check([{ type: "code_interpreter_call", id: "ci", code: "print(1)" }], ["muted ▸ code_interpreter: print(1)"]);
  check(
    [
      { type: "shell_call", id: "sh", call_id: "s", action: { commands: ["uname -a"] } },
      { type: "shell_call_output", id: "so", call_id: "s", output: [] },
    ],
    ["muted ▸ shell: uname -a"],
  );
  const mcp = { type: "mcp_call", id: "mcp", server_label: "files", name: "find", arguments: '{"what":"a"}' };
  check([mcp], ['muted ▸ files/find: {"what":"a"}']);
  check([{ ...mcp, error: { type: "http", message: "no" } }], ["bad ✗ files/find: http"]);
});

test("what Gemini's tools did", () => {
  check(
    [
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "" } },
      { inlineData: { mimeType: "image/png", data: "aGk=" } },
    ],
    ["muted ▸ executableCode: print(1)", "bad ✗ code: OUTCOME_FAILED", "muted ▸ inlineData: image/png"],
  );
});

test("sources are named once each, whichever vendor names them", () => {
  const web = { type: "web_search_result_location", url: "https://a.test", title: "A", cited_text: "x" };
  expect(
    shown(cited(web, web, { ...web, title: "A again" }, { type: "char_location", document_title: "my.pdf" })),
  ).toEqual(["muted Sources:", "muted   [1] A — https://a.test", "muted   [2] my.pdf"]);
  expect(shown(cited({ type: "url_citation", url_citation: { url: "https://b.test", title: "B" } }))).toEqual([
    "muted Sources:",
    "muted   [1] B — https://b.test",
  ]);
  const chunks = [{ web: { uri: "https://c.test", title: "C" } }, { retrievedContext: { title: "D" } }];
  expect(shown(cited({ type: "groundingMetadata", groundingChunks: chunks }, "https://e.test"))).toEqual([
    "muted Sources:",
    "muted   [1] C — https://c.test",
    "muted   [2] D",
    "muted   [3] https://e.test",
  ]);
  expect(shown(cited({ type: "groundingMetadata", webSearchQueries: ["q"] }, null, 7))).toEqual([]);
});

test("long lists end with how many more there are", () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ url: `https://${at}.test` }));
  const lines = shown(cited(...many));
  expect(lines.slice(-2)).toEqual(["muted   [30] https://29.test", "muted   … 10 more"]);
});

test("nothing a vendor sends can move the cursor, turn the text or break a line", () => {
  const hostile = "\u001b[2J\u202eevil\n\u001b]0;x\u0007";
  const use = { type: "server_tool_use", id: "s1", name: `web${hostile}`, input: { query: hostile } };
  const lines = shown({ type: "provider-item", item: use }, cited({ url: `https://${hostile}`, title: hostile }));
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(line))).toEqual([]);
  expect(lines[0]).toBe("muted ▸ webevil ⏎ : evil");
});

test("any item and any citation gives lines, or none", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (item, citation) => {
      const given: JsonObject = JSON.parse(JSON.stringify(item));
      const json: JsonValue = JSON.parse(JSON.stringify(citation));
      expect(shown({ type: "provider-item", item: given }, cited(json)).every((line) => !line.includes("\n"))).toBe(
        true,
      );
    }),
  );
});
