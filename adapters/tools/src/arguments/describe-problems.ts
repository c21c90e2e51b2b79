import type { OutputUnit } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { closestName } from "./closest-name.ts";
import { argumentLimits } from "./limits.ts";
import { jsonTypeOf, requiredFields, schemaFields, schemaTypes } from "./schema-types.ts";

/** Keywords whose error only says that something below them is wrong. */
const wrappers: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "$ref",
  "dependentSchemas",
  "if",
]);

/** Who else takes a field of this name, for calls that went to the wrong tool. */
export type FieldOwners = (field: string) => readonly string[];

/** A rejected call: what was checked, and what the validator said about it. */
export interface Rejection {
  readonly toolName: string;
  readonly schema: JsonObject;
  readonly args: JsonObject;
  readonly errors: readonly OutputUnit[];
}

/** Turns a validator's findings into text a model can act on: field, expectation, what came, how to fix it. */
export function describeProblems(rejection: Rejection, ownersOf: FieldOwners): string {
  const lines = [...new Set(ownErrors(rejection.errors).flatMap((error) => problemLines(rejection, error, ownersOf)))];
  const listed = lines.slice(0, argumentLimits.maxProblems).map((line) => `- ${line}`);
  const rest = lines.length > listed.length ? [`- and ${lines.length - listed.length} more`] : [];
  return [
    `The arguments of ${rejection.toolName} do not fit:`,
    ...listed,
    ...rest,
    `Fields: ${fieldList(rejection.schema)}. Nothing was run; call again with this corrected.`,
  ].join("\n");
}

/** Without wrappers, and without what single branches of a failed choice complain about. */
function ownErrors(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf" || keyword === "not");
  return errors.filter(
    (error) =>
      !wrappers.has(error.keyword) &&
      !choices.some((choice) => error.keywordLocation.startsWith(`${choice.keywordLocation}/`)),
  );
}

function problemLines(rejection: Rejection, error: OutputUnit, ownersOf: FieldOwners): readonly string[] {
  const steps = pointerSteps(error.instanceLocation);
  const value = valueAt(rejection.args, steps);
  if (error.keyword === "false") return [unknownFieldLine(rejection, steps, ownersOf)];
  const schema = schemaOf(rejection.schema, error.keywordLocation);
  if (schema === undefined || value === undefined) return [`${fieldName(steps)}: ${error.error}`];
  if (error.keyword === "required" && isJsonObject(value)) {
    return requiredFields(schema)
      .filter((field) => !Object.hasOwn(value, field))
      .map(
        (field) =>
          `${fieldName([...steps, field])}: missing; expected ${expectation(schemaFields(schema)[field] ?? true)}`,
      );
  }
  return [`${fieldName(steps)}: expected ${expectation(schema)}, got ${shown(value)}${detail(error)}`];
}

function unknownFieldLine(rejection: Rejection, steps: readonly string[], ownersOf: FieldOwners): string {
  const field = steps.at(-1) ?? "";
  const line = `${fieldName(steps)}: unknown field`;
  if (steps.length !== 1) return line;
  const owners = ownersOf(field);
  if (owners.length > 0) return `${line} here; it belongs to ${owners.join(", ")}`;
  const free = Object.keys(schemaFields(rejection.schema)).filter((known) => !Object.hasOwn(rejection.args, known));
  const close = closestName(field, free);
  return close === undefined ? `${line}; leave it out` : `${line}; did you mean \`${close}\`?`;
}

/** What a schema wants, in words. */
function expectation(schema: JsonValue): string {
  if (!isJsonObject(schema)) return "a value";
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].map((item) => JSON.stringify(item)).join(", ")}`;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const types = [...new Set(schemaTypes(schema))];
  const base = types.map((type) => (type === "array" ? arrayExpectation(schema) : type)).join(" or ") || "a value";
  const bounds = [
    bound(schema["minimum"], ">="),
    bound(schema["exclusiveMinimum"], ">"),
    bound(schema["exclusiveMaximum"], "<"),
    bound(schema["maximum"], "<="),
    bound(schema["minLength"], "length >="),
    bound(schema["maxLength"], "length <="),
    bound(schema["minItems"], "items >="),
    bound(schema["maxItems"], "items <="),
    typeof schema["pattern"] === "string" ? `matching /${schema["pattern"]}/` : "",
  ].filter((text) => text !== "");
  return [base, ...bounds].join(" ");
}

function arrayExpectation(schema: JsonObject): string {
  const items = schemaTypes(schema["items"] ?? true).join(" or ");
  return items === "" ? "array" : `array of ${items}`;
}

function bound(value: JsonValue | undefined, sign: string): string {
  return typeof value === "number" ? `${sign} ${value}` : "";
}

/** The validator's own words where the expectation does not already say it. */
function detail(error: OutputUnit): string {
  const said = [
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
  ];
  return said.includes(error.keyword) ? "" : ` (${error.error})`;
}

function shown(value: JsonValue): string {
  if (value === null) return "null";
  const text = JSON.stringify(value);
  const limit = argumentLimits.quotedCharacters;
  return `${jsonTypeOf(value)} ${text.length > limit ? `${text.slice(0, limit)}…` : text}`;
}

function fieldList(schema: JsonObject): string {
  const required = requiredFields(schema);
  const fields = Object.entries(schemaFields(schema)).map(([field, property]) => {
    const notes = [schemaTypes(property).join("|"), required.includes(field) ? "required" : ""].filter(
      (note) => note !== "",
    );
    return notes.length === 0 ? field : `${field} (${notes.join(", ")})`;
  });
  return fields.join(", ") || "none";
}

function fieldName(steps: readonly string[]): string {
  return steps.length === 0 ? "the arguments" : `\`${steps.join(".").slice(0, argumentLimits.quotedCharacters)}\``;
}

/** Steps of a JSON Pointer in URI fragment form, as the validator writes it. */
function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(root: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** The schema that holds the failed keyword; `undefined` where a reference leads elsewhere. */
function schemaOf(root: JsonObject, keywordLocation: string): JsonObject | undefined {
  const found = valueAt(root, pointerSteps(keywordLocation).slice(0, -1));
  return isJsonObject(found) ? found : undefined;
}
