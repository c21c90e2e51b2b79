import * as fc from "fast-check";
import { isJsonObject, type JsonObject, type ToolDefinition } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { type CheckedArguments, createArgumentCheck } from "../src/check-arguments.ts";

const definition: ToolDefinition = {
  name: "sample",
  description: "",
  inputSchema: {
    type: "object",
    additionalProperties: false,
    required: ["path"],
    properties: {
      path: { type: "string", minLength: 1 },
      start_line: { type: "integer", minimum: 1 },
      ratio: { type: "number" },
      overwrite: { type: "boolean" },
      tags: { type: "array", items: { type: "string" }, maxItems: 3 },
      sizes: { type: "array", items: { type: "integer" } },
      options: {
        type: "object",
        additionalProperties: false,
        properties: { depth: { type: "integer" } },
        required: ["depth"],
      },
      either: { type: ["string", "integer"] },
      maybe: { type: ["integer", "null"] },
      mode: { enum: ["fast", "slow"] },
      choice: { anyOf: [{ type: "integer" }, { type: "boolean" }] },
      id: { type: "string", pattern: "^[a-z]+$" },
    },
  },
};

const checkArguments = createArgumentCheck((field) => (field === "patch" ? ["apply_patch"] : []));

function checked(args: JsonObject): CheckedArguments {
  return checkArguments({ definition }, args);
}

function check(args: JsonObject, expected: JsonObject): void {
  expect(checked({ path: "a", ...args })).toEqual({ type: "fits", arguments: { path: "a", ...expected } });
}

function checkWrong(args: JsonObject, ...lines: readonly string[]): void {
  const result = checked({ path: "a", ...args });
  expect(result.type === "wrong" ? result.problem.split("\n").filter((line) => line.startsWith("- ")) : result).toEqual(
    lines.map((line) => `- ${line}`),
  );
}

function nested(depth: number): JsonObject {
  return JSON.parse(`{"path":${"[".repeat(depth)}${"]".repeat(depth)}}`);
}

describe("slips that are corrected", () => {
  test("numbers as text", () => check({ start_line: "3", ratio: "-2.5" }, { start_line: 3, ratio: -2.5 }));
  test("booleans as text", () => check({ overwrite: "True" }, { overwrite: true }));
  test("a list as JSON text, and numbers as text in it", () => check({ sizes: '["1", 2]' }, { sizes: [1, 2] }));
  test("an object as JSON text", () => check({ options: '{"depth":"2"}' }, { options: { depth: 2 } }));
  test("null for a field left out", () => check({ start_line: null, tags: null }, {}));
  test("null for a field nobody knows", () => check({ unheard_of: null }, {}));
  test("a choice of types", () => check({ choice: "true" }, { choice: true }));
});

describe("what the schema allows stays as it is", () => {
  test("a text that looks like a number", () => check({ either: "3" }, { either: "3" }));
  test("a text that looks like JSON", () => check({ id: "true" }, { id: "true" }));
  test("null where null is a value", () => check({ maybe: null }, { maybe: null }));
  test("a path that looks like anything", () => {
    expect(checked({ path: '["1"]' })).toEqual({ type: "fits", arguments: { path: '["1"]' } });
  });
});

describe("what is wrong is named with its field, the expectation and what came", () => {
  test("missing", () => {
    expect(checked({})).toEqual({
      type: "wrong",
      problem:
        "The arguments of sample do not fit:\n- `path`: missing; expected string length >= 1\n" +
        "Fields: path (string, required), start_line (integer), ratio (number), overwrite (boolean), tags (array), sizes (array), " +
        "options (object), either (string|integer), maybe (integer|null), mode, choice (integer|boolean), id (string). " +
        "Nothing was run; call again with this corrected.",
    });
  });
  test("null for a required field", () => checkWrong({ path: null }, "`path`: expected string length >= 1, got null"));
  test("type", () => checkWrong({ start_line: "three" }, '`start_line`: expected integer >= 1, got string "three"'));
  test("not a whole number", () =>
    checkWrong({ start_line: "1.5" }, '`start_line`: expected integer >= 1, got string "1.5"'));
  test("bound", () => checkWrong({ start_line: 0 }, "`start_line`: expected integer >= 1, got number 0"));
  test("a number beyond exactness stays text", () => {
    checkWrong(
      { start_line: "99999999999999999999" },
      '`start_line`: expected integer >= 1, got string "99999999999999999999"',
    );
  });
  test("list item", () => checkWrong({ tags: ["x", 1] }, "`tags.1`: expected string, got number 1"));
  test("a bare text where a list is expected", () =>
    checkWrong({ tags: "x" }, '`tags`: expected array of string items <= 3, got string "x"'));
  test("broken JSON text", () =>
    checkWrong({ tags: '["x"' }, '`tags`: expected array of string items <= 3, got string "[\\"x\\""'));
  test("inside an object", () => checkWrong({ options: {} }, "`options.depth`: missing; expected integer"));
  test("enum", () => checkWrong({ mode: "quick" }, '`mode`: expected one of "fast", "slow", got string "quick"'));
  test("pattern", () => checkWrong({ id: "A1" }, '`id`: expected string matching /^[a-z]+$/, got string "A1"'));
  test("choice", () =>
    checkWrong(
      { choice: "x" },
      '`choice`: expected integer or boolean, got string "x" (Instance does not match any subschemas.)',
    ));
  test("misspelt field", () =>
    checkWrong(
      { startline: 3, overwrit: true },
      "`startline`: unknown field; did you mean `start_line`?",
      "`overwrit`: unknown field; did you mean `overwrite`?",
    ));
  test("field of another tool", () =>
    checkWrong({ patch: "LP1" }, "`patch`: unknown field here; it belongs to apply_patch"));
  test("unknown field", () => checkWrong({ zzzzzz: 1 }, "`zzzzzz`: unknown field; leave it out"));
  test("a field name of pointer characters", () =>
    checkWrong({ "a/b~c %": 1 }, "`a/b~c %`: unknown field; leave it out"));
  test("long values are cut", () =>
    checkWrong({ mode: "x".repeat(500) }, `\`mode\`: expected one of "fast", "slow", got string "${"x".repeat(59)}…`));
  test("at most five at once", () => {
    const bad = { q1: 1, q2: 1, q3: 1, q4: 1, q5: 1, q6: 1, q7: 1 };
    checkWrong(
      bad,
      ...["q1", "q2", "q3", "q4", "q5"].map((field) => `\`${field}\`: unknown field; leave it out`),
      "and 2 more",
    );
  });
});

describe("hostile values are refused before any schema", () => {
  test.each([
    ["depth", nested(64), "Nested deeper than 64 levels"],
    ["bottomless depth", nested(100_000), "Nested deeper than 64 levels"],
    [
      "keys",
      Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1])),
      "More than 10000 keys",
    ],
    ["items", { tags: Array.from({ length: 10_001 }, () => "x") }, "More than 10000 keys"],
    ["__proto__", JSON.parse('{"path":"a","__proto__":{"polluted":true}}'), "The key `__proto__` is not accepted"],
    ["__proto__ below", JSON.parse('{"options":{"__proto__":1}}'), "The key `__proto__` is not accepted"],
    [
      "constructor",
      { path: "a", constructor: { prototype: { polluted: true } } },
      "The key `constructor` is not accepted",
    ],
    ["constructor below", { options: [{ constructor: 1 }] }, "The key `constructor` is not accepted"],
    ["lone surrogate", { path: "a\ud800" }, "half of a surrogate pair"],
    ["lone surrogate in a key", { "\udc00": 1 }, "half of a surrogate pair"],
    ["1e999", JSON.parse('{"ratio":1e999}'), "too large for JSON"],
    ["NaN", { ratio: Number.NaN }, "too large for JSON or not a number"],
  ])("%s", (_name, args, problem) => {
    const result = checked(args);
    expect(result.type === "wrong" ? result.problem : result).toContain(problem);
  });
  test("a list in JSON text is judged the same", () => {
    const result = checked({ path: "a", tags: `${"[".repeat(1000)}${"]".repeat(1000)}` });
    expect(result.type).toBe("wrong");
  });
  test("names of object members are no fields", () => {
    checkWrong(
      { valueOf: 1, toString: 2 },
      "`valueOf`: unknown field; leave it out",
      "`toString`: unknown field; leave it out",
    );
  });
  test("what is allowed at the limit", () => {
    expect(createArgumentCheck(() => [])({ definition: { ...definition, inputSchema: {} } }, nested(63)).type).toBe(
      "fits",
    );
  });
});

test("any arguments are answered, and what fits obeys the schema's closed fields", () => {
  const keys = fc.constantFrom(
    "path",
    "start_line",
    "overwrite",
    "tags",
    "sizes",
    "options",
    "choice",
    "x",
    "__proto__",
    "constructor",
  );
  fc.assert(
    fc.property(fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 })), (args) => {
      if (!isJsonObject(args)) return;
      const result = checked(args);
      if (result.type === "wrong") return;
      expect(typeof result.arguments["path"]).toBe("string");
      expect(Object.keys(result.arguments).every((key) => key !== "x")).toBe(true);
    }),
  );
});
