import { runs } from "@capstan/testkit";
import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/limits.ts";
import type { OfferedCall } from "../../src/openai-chat/text-calls/offered-calls.ts";
import { TextCalls } from "../../src/openai-chat/text-calls/text-calls.ts";

const text = { type: "string" };
const tools: readonly ToolDefinition[] = [
  tool("constructor", {}),
  tool("read_file", { path: text, start_line: { type: "integer" } }),
  tool("write_file", { path: text, content: text }),
  tool("edit_file", { path: text, old_string: text, new_string: text }),
  tool("run_command", { command: text }),
];

function tool(name: string, properties: JsonObject): ToolDefinition {
  return { name, description: "", inputSchema: { type: "object", properties } };
}

interface Reported {
  readonly text: string;
  readonly calls: readonly OfferedCall[];
}

function read(setting: "on" | "auto", pieces: readonly string[]): Reported {
  let said = "";
  const calls = new TextCalls(setting, tools, (piece) => (said += piece));
  for (const piece of pieces) calls.add(piece);
  return { calls: calls.end(), text: said };
}

const readA: OfferedCall = { name: "read_file", arguments: { path: "a" } };
const readB: OfferedCall = { name: "read_file", arguments: { path: "b" } };
const json = '{"name": "read_file", "arguments": {"path": "a"}}';
const jsonB = '{"name": "read_file", "arguments": {"path": "b"}}';
const fenced = `\`\`\`json\n${json}\n\`\`\``;

/** Answers with calls in them: what is text, and what is called. */
const called: readonly (readonly [string, string, readonly OfferedCall[]])[] = [
  [json, "", [readA]],
  [`\n ${json}\n`, "", [readA]],
  [`${json}\n${jsonB}`, "", [readA, readB]],
  [`[${json}, ${jsonB}]`, "", [readA, readB]],
  [`${json}; ${json}`, "", [readA]],
  ['{"name": "read_file", "parameters": {"path": "a"}}', "", [readA]],
  ['{"tool": "read_file", "input": {"path": "a"}}', "", [readA]],
  ['{"tool": "read_file", "path": "a"}', "", [readA]],
  ['{"function": "read_file", "args": {"path": "a"}}', "", [readA]],
  ['{"type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}', "", [readA]],
  [`{"tool_calls":[{"id":"1","type":"function","function":${json}}]}`, "", [readA]],
  [`{"role":"assistant","content":null,"tool_calls":[{"function":${json}},{"function":${jsonB}}]}`, "", [readA, readB]],
  [`{"function_call":${json}}`, "", [readA]],
  [fenced, "", [readA]],
  [`I look.\n\n${fenced}\n`, "I look.\n\n", [readA]],
  [`  \`\`\`\n${json}\n  \`\`\``, "", [readA]],
  [`\n\n<tool_call>${json}</tool_call>`, "", [readA]],
  [`\n ${json} x\n\n  ${fenced}`, `\n ${json} x\n\n  `, [readA]],
  [`\`\`\`tool_call\n${json}`, "", [readA]],
  [`${fenced}\n\n\`\`\`json\n${jsonB}\n\`\`\``, "", [readA, readB]],
  [`So:\n\`\`\`json\n{"a":1}\n\`\`\`\n${fenced}`, 'So:\n```json\n{"a":1}\n```\n', [readA]],
  [`<tool_call>\n${json}\n</tool_call>`, "", [readA]],
  [`Well. <tool_call>${json}</tool_call>\n<tool_call>${jsonB}</tool_call><|im_end|>`, "Well. ", [readA, readB]],
  [`<tool_call>${json}`, "", [readA]],
  [`\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``, "", [readA]],
  ['<function=read_file>{"path": "a"}</function>', "", [readA]],
  [
    "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n<parameter=start_line>\n3\n</parameter>\n</function>\n</tool_call>",
    "",
    [{ name: "read_file", arguments: { path: "a", start_line: 3 } }],
  ],
  [
    "<function=write_file><parameter=path>1</parameter><parameter=content><a>\n</parameter>\nx</parameter></function></tool_call>",
    "",
    [{ name: "write_file", arguments: { path: "1", content: "<a>\n</parameter>\nx" } }],
  ],
  ["<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", "", [readA]],
  [`[TOOL_CALLS] [${json}]`, "", [readA]],
  [`Ok.[TOOL_CALLS]read_file[ARGS]{"path": "a"}[TOOL_CALLS]read_file{"path": "b"}</s>`, "Ok.", [readA, readB]],
  [`<|python_tag|>{"type": "function", "name": "read_file", "parameters": {"path": "a"}}<|eom_id|>`, "", [readA]],
  [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "",
    [readA],
  ],
  [
    'Hm<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "b"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    "Hm",
    [readA, readB],
  ],
  [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>',
    "",
    [{ ...readA, id: "functions.read_file:0" }],
  ],
  // Other agents' names for tools and arguments.
  ['{"name": "functions.read_file", "arguments": {"path": "a"}}', "", [readA]],
  ['{"name": "Read-File", "arguments": {"filepath": "a"}}', "", [readA]],
  ['{"name": "file_read", "arguments": {"file": "a"}}', "", [readA]],
  ['{"name": "shell", "arguments": {"cmd": "ls"}}', "", [{ name: "run_command", arguments: { command: "ls" } }]],
  [
    '{"name": "file_edit", "arguments": {"path": "a", "old_text": "x", "new_text": "y"}}',
    "",
    [{ name: "edit_file", arguments: { path: "a", old_string: "x", new_string: "y" } }],
  ],
  [
    '{"name": "file_edit", "arguments": {"path": "a", "old_text": "", "new_text": "y"}}',
    "",
    [{ name: "write_file", arguments: { path: "a", content: "y" } }],
  ],
  [
    `{"name": "write_file", "arguments": {"path": "a", "content": "\`\`\`\\n</tool_call> {\\"name\\":"}}`,
    "",
    [{ name: "write_file", arguments: { path: "a", content: '```\n</tool_call> {"name":' } }],
  ],
];

/** Answers in which nothing is called. */
const quoted: readonly string[] = [
  "Plain words with `code`, a < b and [links](x).",
  `You can call it like this:\n${fenced}\nand then continue.`,
  `${fenced}\nThat is how it looks.`,
  `${json} is a call.`,
  `Bare JSON after words is a quote: ${json}`,
  '{"name": "unknown_tool", "arguments": {}}',
  `[${json}, {"name": "unknown_tool", "arguments": {}}]`,
  '{"name": "read_file", "version": "1.0.0"}',
  '{"name": "read_file"}',
  '{"name": "read_file", "description": "Reads.", "parameters": {"type": "object"}}',
  '{"path": "a"}',
  "[1, 2, 3]",
  "[]",
  "{}",
  "```ts\nconst a = 1;\n```",
  `\`\`\`python\n${json}\n\`\`\``,
  '```json\n{"compilerOptions": {}}\n```',
  `\`\`\`json\n${json.slice(0, -4)}`,
  `The \`<tool_call>\` tag holds JSON: <tool_call>${json}</tool_call> as you see.`,
  "<tool_call> is a tag of Qwen.",
  "<tool_call>",
  "<function=read_file><parameter=path>a",
  "[TOOL_CALLS] are a token of Mistral.",
  "<|python_tag|>print(1)",
  "<｜tool▁calls▁begin｜>",
  "[TOOL",
  "`",
  " \n",
  "",
  '{"name": "a\\"b"} x',
];

const answers: readonly (readonly [string, Reported])[] = [
  ...called.map(([answer, said, calls]): readonly [string, Reported] => [answer, { text: said, calls }]),
  ...quoted.map((answer): readonly [string, Reported] => [answer, { text: answer, calls: [] }]),
];

test("a call that is the whole answer, or its marked end, is read; whatever else quotes one is text", () => {
  for (const [answer, expected] of answers) expect([answer, read("auto", [answer])]).toEqual([answer, expected]);
});

test("however an answer is cut, it says the same", () => {
  for (const [answer, expected] of answers) {
    expect([answer, read("auto", answer.split(""))]).toEqual([answer, expected]);
    for (let at = 1; at < answer.length; at += 1) {
      expect([answer, at, read("auto", [answer.slice(0, at), answer.slice(at)])]).toEqual([answer, at, expected]);
    }
  }
});

const bits = fc.constantFrom(
  json,
  jsonB,
  fenced,
  "```",
  "\n",
  "`",
  "<tool_call>",
  "</tool_call>",
  "[TOOL_CALLS]",
  "{",
  "[",
  "<",
  '"name"',
  " word ",
  "```json\n",
  "<function=read_file>",
  "<parameter=path>",
  "</parameter>",
  "</function>",
  "}",
  "<think>",
  "😀",
);

test("of any mixture every piece is said or called, and cuts make no difference", () => {
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 8 }), fc.constantFrom("on", "auto"), (pieces, setting) => {
      const answer = pieces.join("");
      const whole = read(setting, [answer]);
      expect(read(setting, pieces)).toEqual(whole);
      expect(read(setting, answer.split(""))).toEqual(whole);
      expect(whole.calls.length > 0 || whole.text === answer).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
});

test("where calls are asked for, text may follow a call", () => {
  const cases: readonly (readonly [string, string, readonly OfferedCall[]])[] = [
    [`I look.\n${fenced}\nThen I continue.`, "I look.\n\nThen I continue.", [readA]],
    [`<tool_call>${json}</tool_call> done`, " done", [readA]],
    [`${json} is a call.`, " is a call.", [readA]],
    ['```json\n{"a": 1}\n```\nwords', '```json\n{"a": 1}\n```\nwords', []],
  ];
  for (const [answer, said, calls] of cases) {
    expect([answer, read("on", [answer])]).toEqual([answer, { text: said, calls }]);
    expect([answer, read("on", answer.split(""))]).toEqual([answer, { text: said, calls }]);
  }
});

test("text that cannot be a call is not held back", () => {
  const seen: string[] = [];
  const calls = new TextCalls("auto", tools, (piece) => seen.push(piece));
  for (const piece of ["Some ", "words.\n", "```ts\n", "const a;\n", "```\nmore ", '```json\n{"a"']) calls.add(piece);
  expect(seen.join("")).toBe('Some words.\n```ts\nconst a;\n```\nmore ```json\n{"a"');
  calls.add("\n```json\n");
  calls.add(`${json}\n`);
  expect(seen.join("").endsWith('{"a"\n')).toBe(true);
  calls.add("```\nThat was it.");
  expect(seen.join("").endsWith(`${fenced}\nThat was it.`)).toBe(true);
});

test("text is held back within a limit, and many marks are not looked at one by one forever", () => {
  const long = `{"name": "write_file", "arguments": {"path": "a", "content": "${"x".repeat(limits.heldCallChars)}"}}`;
  expect(read("auto", [long])).toEqual({ text: long, calls: [] });
  expect(read("auto", [long.slice(0, -2), long.slice(-2)])).toEqual({ text: long, calls: [] });
  const blank = `\`\`\`json\n${" ".repeat(limits.callHeadChars)}${json}\n\`\`\``;
  expect(read("auto", [blank])).toEqual({ text: blank, calls: [] });
  expect(read("auto", blank.split(""))).toEqual({ text: blank, calls: [] });
  const trailing = [json, ...Array.from({ length: 100_000 }, () => "  \n ")];
  expect(read("auto", trailing)).toEqual({ text: "", calls: [readA] });
  const many = `<tool_call>{"name": "x", `.repeat(20_000);
  expect(read("auto", [many])).toEqual({ text: many, calls: [] });
  const ends = '```json\n{"name": 1}\n```\n'.repeat(20_000);
  expect(read("auto", [ends])).toEqual({ text: ends, calls: [] });
});
