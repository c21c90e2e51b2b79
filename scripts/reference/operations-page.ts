import { operations } from "@capstan/remote";
import { z } from "zod";
import { markdownTable } from "./markdown-table.ts";

/** What the page shows of a JSON Schema. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Every operation of the remote protocol, from the schemas that check it. */
export function operationsPage(): string {
  const rows = Object.entries(operations).map(([id, { about, role, params, result }]) => [
    `\`${id}\``,
    role,
    about,
    fieldsOf(schemaOf(params)),
    fieldsOf(schemaOf(result)),
  ]);
  const submissions = variantsOf(schemaOf(operations.submit.params).properties?.["submission"]);
  const answers = variantsOf(schemaOf(operations["interactions.answer"].params).properties?.["answer"]);
  return `# Operations of the remote protocol

Lines of JSON, each ended by a line feed. A request names one of these operations as \`op\`; \`role\` is the least role that a client needs.
Optional fields have a question mark. A field that is not listed is refused.

${markdownTable(["operation", "role", "what it does", "params", "result"], rows)}

## Submissions

\`submission\` of \`submit\`. Each takes a role of its own: \`ask\` begins turns in plan mode, \`drive\` begins, stops and steers turns and changes queue, title and
settings, \`approve\` answers, \`operate\` raises the mode and rewinds.

${markdownTable(["type", "fields"], submissions)}

## Answers

\`answer\` of \`interactions.answer\` and of the submission \`answer\`.

${markdownTable(["type", "fields"], answers)}

## Errors

A request that cannot be carried out gets \`{"id":…,"ok":false,"error":{"code":…,"message":…,"hint":…}}\` with a code of [errors.md](errors.md); a line whose id
cannot be read gets \`"id":null\`. A submission that changes nothing is no error: its receipt is \`{"type":"refused","code":…,"reason":…}\`.
`;
}

function schemaOf(schema: z.ZodType): Schema {
  const found: Schema = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })));
  return found;
}

function fieldsOf({ properties = {}, required = [], description = "–" }: Schema, leftOut?: string): string {
  const fields = Object.entries(properties).filter(([name]) => name !== leftOut);
  if (fields.length === 0) return description;
  return fields.map(([name, schema]) => `\`${name}${required.includes(name) ? "" : "?"}\`${typeOf(schema)}`).join(", ");
}

/** A type where it says more than the name. */
function typeOf(schema: Schema): string {
  const words = (schema.enum ?? []).map((word) => `\`${String(word)}\``);
  if (words.length > 0) return ` (${words.join(", ")})`;
  const { properties } = schema;
  if (properties !== undefined) return ` {${fieldsOf(schema)}}`;
  return (schema.anyOf ?? []).some(({ type }) => type === "null") ? " (or null)" : "";
}

function variantsOf(schema: Schema | undefined): readonly (readonly string[])[] {
  return (schema?.oneOf ?? []).map((variant) => [
    `\`${String(variant.properties?.["type"]?.const)}\``,
    fieldsOf(variant, "type"),
  ]);
}
