import type { JsonObject, JsonValue } from "@capstan/protocol";
import type { ArgumentAlias } from "./argument-alias.ts";
import { schemaFields } from "./schema-types.ts";

/**
 * Renames fields that other agents' tools call differently, so that a habit does not cost a round trip. A field the schema itself
 * knows is never touched, and an alias counts only while the field it stands for is absent.
 */
export function adaptArguments(aliases: readonly ArgumentAlias[], schema: JsonObject, args: JsonObject): JsonObject {
  const fields = schemaFields(schema);
  return aliases.reduce((adapted, alias) => withAlias(adapted, alias, fields), args);
}

function withAlias(args: JsonObject, alias: ArgumentAlias, fields: Readonly<Record<string, JsonValue>>): JsonObject {
  const present = alias.from.filter(
    (name) => isGiven(args, name) && (!Object.hasOwn(fields, name) || alias.overrides === true),
  );
  if (present.length === 0) return args;
  const replacement = alias.convert(args, present);
  if (replacement === undefined) return args;
  const added = Object.entries(replacement);
  if (added.some(([name]) => !Object.hasOwn(fields, name) || (isGiven(args, name) && !present.includes(name))))
    return args;
  const kept = Object.entries(args).filter(([name]) => !present.includes(name));
  return Object.fromEntries([...kept, ...added]);
}

/** `null` is how some models leave a field out. */
function isGiven(args: JsonObject, name: string): boolean {
  return Object.hasOwn(args, name) && args[name] !== null;
}
