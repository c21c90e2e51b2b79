import type { JsonObject, JsonValue, ModelFinish, ModelStreamPart, ToolDefinition } from "@capstan/protocol";
import { isList, listOf, objectOf } from "../json-fields.ts";
import { acceptsNull, branchesOf } from "../request/strict-schema.ts";

type Batches = AsyncGenerator<readonly ModelStreamPart[], void, undefined>;

/**
 * An answer to strict tools: their optional fields come back as `null`, and are left out here, so that no tool sees them.
 * Arguments are handed on whole, with the finish, because what they will lack is known only then.
 */
export async function* withoutStrictNulls(batches: Batches, tools: readonly ToolDefinition[]): Batches {
  const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema]));
  const written = new Map<number, string>();
  for await (const batch of batches) {
    const kept = batch.flatMap((part): readonly ModelStreamPart[] => {
      if (part.type === "finish") return finished(part, schemas, written);
      if (part.type !== "tool-arguments-delta") return [part];
      written.set(part.index, (written.get(part.index) ?? "") + part.delta);
      return [];
    });
    if (kept.length > 0) yield kept;
  }
}

function finished(
  finish: ModelFinish,
  schemas: ReadonlyMap<string, JsonObject>,
  written: ReadonlyMap<number, string>,
): readonly ModelStreamPart[] {
  const deltas: ModelStreamPart[] = [];
  const content = finish.message.content.map((block) => {
    if (block.type !== "tool-call") return block;
    const index = deltas.length;
    const { arguments: args, name } = block;
    const value = args.type === "json" ? withoutNulls(args.value, schemas.get(name)) : undefined;
    const delta = value === undefined ? (written.get(index) ?? "") : JSON.stringify(value);
    deltas.push({ type: "tool-arguments-delta", index, name, delta });
    return value === undefined ? block : { ...block, arguments: { type: "json" as const, value } };
  });
  const said = deltas.filter((part) => part.type === "tool-arguments-delta" && part.delta !== "");
  return [...said, { ...finish, message: { ...finish.message, content } }];
}

/** The object without the fields that are `null` only because strict mode knows no absent ones. */
export function withoutNulls(value: JsonObject, schema: JsonValue | undefined): JsonObject {
  const fields = objectOf(schema) ?? {};
  const properties = objectOf(fields["properties"]) ?? {};
  const required = listOf(fields["required"]);
  const kept = Object.entries(value).filter(
    ([name, item]) => item !== null || required.includes(name) || acceptsNull(own(properties, name)),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, cleaned(item, own(properties, name))]));
}

function cleaned(value: JsonValue, schema: JsonValue | undefined): JsonValue {
  const fields = objectOf(schema);
  if (fields === undefined || typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => cleaned(item, fields["items"]));
  const branches = branchesOf(fields);
  return withoutNulls(value, branches.find((branch) => namesAll(branch, value)) ?? fields);
}

function namesAll(schema: JsonValue, value: JsonObject): boolean {
  const properties = objectOf(objectOf(schema)?.["properties"]);
  return properties !== undefined && Object.keys(value).every((name) => Object.hasOwn(properties, name));
}

function own(table: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
