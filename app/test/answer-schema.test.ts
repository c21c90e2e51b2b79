import { expect, test } from "vitest";
import { readAnswerSchema } from "../src/answers/answer-schema.ts";

const tree = {
  type: "object",
  properties: { id: { type: "integer" }, kind: { enum: ["leaf", "node"] }, next: { $ref: "#" } },
  required: ["id"],
  additionalProperties: false,
};

test.each([
  ["plain", '{"id":1}', { id: 1 }],
  ["white space around it", '\n {"id":1}\n', { id: 1 }],
  ["a fence", '```json\n{"id":1}\n```', { id: 1 }],
  ["a fence without a name", '```\n{"id":1}\n```', { id: 1 }],
  ["a schema within itself", '{"id":1,"next":{"id":2}}', { id: 1, next: { id: 2 } }],
])("fits: %s", async (_, answer, value) => {
  const form = await readAnswerSchema(JSON.stringify(tree));
  expect(form.check(answer)).toMatchObject({ type: "fits", value });
  expect(form.check(answer)).toMatchObject({ type: "fits", value });
});

test.each([
  ["words around it", 'Here: {"id":1}', /^it is not JSON/],
  ["nothing", "", /^it is not JSON/],
  ["another type", "[]", /^the value: .*"array" is invalid/],
  ["a field too many, and one of another kind", '{"id":1,"x":2,"kind":"tree"}', /\/kind: .*; \/x is not allowed$/],
  ["a wrong place far below", '{"id":1,"next":{"id":1,"next":{"id":"a"}}}', /^\/next\/next\/id: /],
])("does not fit: %s", async (_, answer, problem) => {
  const form = await readAnswerSchema(JSON.stringify(tree));
  expect(form.check(answer)).toEqual({ type: "wrong", problem: expect.stringMatching(problem) });
});

test("at most so many places are named, and the others are counted", async () => {
  const form = await readAnswerSchema('{"additionalProperties":{"type":"string"}}');
  const answer = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, at])));
  expect(form.check(answer)).toMatchObject({ problem: expect.stringMatching(/^(?:\/f\d+: [^;]+; ){8}and 22 more$/) });
});

test("an answer that is nested without measure does not fit, and nothing breaks", async () => {
  const form = await readAnswerSchema(
    JSON.stringify({ $ref: "#/$defs/list", $defs: { list: { items: { $ref: "#/$defs/list" } } } }),
  );
  expect(form.check("[".repeat(200_000) + "]".repeat(200_000))).toMatchObject({ type: "wrong" });
});

test("a schema says in its own way which draft it is written in", async () => {
  const draft7 = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
  const form = await readAnswerSchema(JSON.stringify(draft7));
  expect([form.check('["a"]').type, form.check("[1]").type]).toEqual(["fits", "wrong"]);
});
