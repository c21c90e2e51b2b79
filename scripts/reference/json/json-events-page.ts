import { recordCatalog } from "@capstan/protocol";
import { markdownTable } from "../markdown-table.ts";
import { type DeclaredType, type Field, type Form, readTypes } from "./read-types.ts";

/** Where the types of what is printed as JSON are declared. */
const folders: readonly string[] = ["core/protocol/src", "frontends/cli/src"];

/** Every line that Capstan prints as JSON, and every field of it, from the types that the code prints them by. */
export function jsonEventsPage(root: string): string {
  const types = jsonTypes(root);
  const records = recordForms(types);
  const lines = ["InitLine", "ResultLine"].map((name) => needed(types, name));
  const shown = reached(types, [...records.values(), ...lines.flatMap(({ forms }) => forms)]);
  const [init = "", result = ""] = lines.map(({ forms }) =>
    fieldTable(forms.flatMap((form) => allFields(types, form))),
  );
  const sections = Object.entries(recordCatalog).map(([type, { about }]) =>
    recordSection(type, about, records.get(type)),
  );
  return `${intro}
## The line \`init\`

The first line of \`stream-json\`: what the run works with.

${init}

## The line \`result\`

The last line of \`stream-json\`, and the only one of \`json\`. It comes however the run ends.

${result}

## Records

${sections.join("\n\n")}

## Types

${shown.map((type) => typeSection(type)).join("\n\n")}
`;
}

export function jsonTypes(root: string): ReadonlyMap<string, DeclaredType> {
  return readTypes(root, folders);
}

const intro = `# JSON events

| command | what it prints |
| --- | --- |
| \`capstan run --output-format json\` | one line, \`result\` |
| \`capstan run --output-format stream-json\` | \`init\`, a line for each record as it comes, \`result\` |
| \`capstan sessions show ID --json\` | a line for each record that is kept |
| \`capstan embed\` | records as events of the [line protocol](../embed.md), in the field \`record\` |

Each line is one JSON object; its \`type\` says what it is. Beside their own fields, the lines of records have \`seq\` (the number in the session's journal, growing,
never used twice) and \`at\` (milliseconds since 1970, for display). Secrets are taken out. A reader skips types and fields that it does not know: later versions add some.

A question mark after a field's name says that it may be absent. Types are written as in TypeScript; \`JsonValue\` is any JSON. Ids (\`SessionId\`, \`TurnId\`, \`StepId\`,
\`ToolCallId\`, \`InteractionId\`) are strings.
`;

function recordSection(type: string, about: string, form: Form | undefined): string {
  if (form === undefined) throw new Error(`The record ${type} has no type in core/protocol/src/record.ts.`);
  const own = form.type === "object" && form.about !== "" ? form.about : about;
  return `### \`${type}\`\n\n${own}\n\n${fieldTable(fieldsIn(form).filter(({ name }) => name !== "type"))}`;
}

/** The forms of a union of records, by the word in their field `type`. */
export function recordForms(
  types: ReadonlyMap<string, DeclaredType>,
  name = "JournalRecord",
): ReadonlyMap<string, Form> {
  const found = new Map<string, Form>();
  for (const form of needed(types, name).forms) {
    if (form.type === "text") for (const [type, below] of recordForms(types, form.text)) found.set(type, below);
    else for (const field of form.fields) if (field.name === "type") found.set(field.type.replaceAll('"', ""), form);
  }
  return found;
}

function needed(types: ReadonlyMap<string, DeclaredType>, name: string): DeclaredType {
  const found = types.get(name);
  if (found === undefined) throw new Error(`No source of ${folders.join(" or ")} exports the type ${name}.`);
  return found;
}

/** Strings to a reader of JSON, and what any JSON is. */
const plain = /^(?:SessionId|TurnId|StepId|ToolCallId|InteractionId|JsonValue|JsonObject)$/;

/** Every declared type that these forms speak of, and those that they speak of in turn, by name. */
function reached(types: ReadonlyMap<string, DeclaredType>, forms: readonly Form[]): readonly DeclaredType[] {
  const found = new Map<string, DeclaredType>();
  const open = [...forms];
  for (let form = open.pop(); form !== undefined; form = open.pop()) {
    const text = form.type === "text" ? form.text : form.fields.map(({ type }) => type).join(" ");
    for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) {
      const type = types.get(name);
      if (type === undefined || found.has(name) || plain.test(name)) continue;
      found.set(name, type);
      open.push(...type.forms);
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function typeSection({ name, about, forms }: DeclaredType): string {
  const head = `### ${name}${about === "" ? "" : `\n\n${about}`}`;
  if (forms.every((form) => form.type === "text")) {
    return `${head}\n\n${forms.map(({ text }) => `\`${text}\``).join(" or ")}`;
  }
  const parts = forms.map((form) =>
    form.type === "text"
      ? `All fields of \`${form.text}\`${forms.length > 1 ? ", or:" : "."}`
      : objectPart(form, forms.length > 1),
  );
  return [head, ...parts].join("\n\n");
}

function objectPart(form: Extract<Form, { type: "object" }>, isOne: boolean): string {
  const kind = form.fields.find(({ name }) => name === "type")?.type;
  const head =
    isOne && kind !== undefined ? [`${kind.replaceAll('"', "`")}${form.about === "" ? "" : `: ${form.about}`}`] : [];
  const fields = form.fields.filter(({ name }) => name !== "type" || kind === undefined || !isOne);
  return [...head, ...(fields.length === 0 ? [] : [fieldTable(fields)])].join("\n\n");
}

/** With the fields of what the type extends. */
function allFields(types: ReadonlyMap<string, DeclaredType>, form: Form): readonly Field[] {
  if (form.type === "object") return form.fields;
  return needed(types, form.text).forms.flatMap((inherited) => allFields(types, inherited));
}

function fieldsIn(form: Form): readonly Field[] {
  return form.type === "object" ? form.fields : [];
}

function fieldTable(fields: readonly Field[]): string {
  return markdownTable(
    ["field", "type", "meaning"],
    fields.map(({ name, isOptional, type, about }) => [`\`${name}${isOptional ? "?" : ""}\``, `\`${type}\``, about]),
  );
}
