import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonTypes, recordForms } from "../../scripts/reference/json/json-events-page.ts";
import { typesOf } from "../../scripts/reference/json/read-types.ts";
import { usePlace } from "../end-to-end/stage/place.ts";
import { type OutputObject, parseLines } from "../end-to-end/stage/read-output.ts";

const place = usePlace();
const types = jsonTypes(join(import.meta.dirname, "../.."));
const records = recordForms(types);

/** What a line has that the page does not name, and what the page says it has and that is missing. */
function differences({ type, seq, at, ...line }: OutputObject): readonly string[] {
  const form = records.get(String(type));
  if (form?.type !== "object") return [`${String(type)} is not described`];
  const fields = form.fields.filter(({ name }) => name !== "type");
  return [
    ...[seq, at].flatMap((mark) => (typeof mark === "number" ? [] : [`${String(type)} has no number or time`])),
    ...Object.keys(line).flatMap((key) =>
      fields.some(({ name }) => name === key) ? [] : [`${String(type)}.${key} is not described`],
    ),
    ...fields.flatMap(({ name, isOptional }) =>
      isOptional || name in line ? [] : [`${String(type)}.${name} is missing`],
    ),
  ];
}

function fieldNames(name: string): readonly string[] {
  return fieldsOf(name).map((field) => field.name);
}

/** Those that every such line has. */
function neededFields(name: string): readonly string[] {
  return fieldsOf(name).flatMap((field) => (field.isOptional ? [] : [field.name]));
}

function fieldsOf(name: string): readonly { readonly name: string; readonly isOptional: boolean }[] {
  const forms = types.get(name)?.forms ?? [];
  return forms.flatMap((form) => (form.type === "text" ? fieldsOf(form.text) : form.fields));
}

test("every line that a run prints as JSON has the fields that the page describes, in the first run and in the next", async () => {
  place.write("a.txt", "one\n");
  const turns = [
    { text: "I look.", tool_calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
    { text: "Now I write.", tool_calls: [{ name: "write_file", arguments: { path: "b.txt", content: "two\n" } }] },
    { text: "Done." },
    { text: "Nothing more." },
  ];
  const stage = await place.rehearse("anthropic", turns);
  const flags = ["--output-format", "stream-json"];
  const first = parseLines(await stage.run([...flags, "--permission-mode", "accept-edits", "go"]));
  const second = parseLines(await stage.run([...flags, "--continue", "and now?"]));
  for (const lines of [first, second]) {
    const [init, ...rest] = lines;
    const result = rest.pop();
    expect(rest.flatMap(differences)).toEqual([]);
    expect(Object.keys(init ?? {}).filter((key) => !fieldNames("InitLine").includes(key))).toEqual([]);
    expect(neededFields("InitLine").filter((key) => !Object.hasOwn(init ?? {}, key))).toEqual([]);
    expect(Object.keys(result ?? {}).filter((key) => !fieldNames("ResultLine").includes(key))).toEqual([]);
    expect(rest.length).toBeGreaterThan(3);
  }
  const shown = await place.run(["sessions", "show", String(first[0]?.["sessionId"]), "--json"]);
  expect(parseLines(shown).flatMap(differences)).toEqual([]);
});

test("a line that the page does not describe is noticed", () => {
  expect(differences({ type: "session-titled", seq: 1, at: 1, title: "a", colour: "red" })).toEqual([
    "session-titled.colour is not described",
    "session-titled.origin is missing",
  ]);
});

test("a type is read with its comments, its forms and its fields", () => {
  const source = `/** One. */
export interface A extends B {
  /** What it
   * says. */
  readonly x?: readonly string[];
}
export type U =
  /** First. */
  | { readonly type: "a"; readonly y: { readonly z: 1 } }
  | A;`;
  const object = { type: "object", about: "" };
  const x = { name: "x", isOptional: true, type: "string[]", about: "What it says." };
  const kind = { name: "type", isOptional: false, type: '"a"', about: "" };
  const y = { name: "y", isOptional: false, type: "{ z: 1 }", about: "" };
  expect(typesOf(source)).toEqual([
    {
      name: "A",
      about: "One.",
      forms: [
        { type: "text", text: "B" },
        { ...object, fields: [x] },
      ],
    },
    {
      name: "U",
      about: "",
      forms: [
        { ...object, about: "First.", fields: [kind, y] },
        { type: "text", text: "A" },
      ],
    },
  ]);
});
