import type { OutputUnit } from "@cfworker/json-schema";

/** Keywords whose error only says that something below them is wrong. */
const wrappers: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "$ref",
  "dependentSchemas",
  "if",
]);
const choices: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not"]);
/** What a model reads and corrects at once. */
const maxNamed = 8;

/** Where a value does not fit its schema, each place once, in one line. */
export function describeMismatch(errors: readonly OutputUnit[]): string {
  const chosen = errors.filter(({ keyword }) => choices.has(keyword));
  const own = errors.filter(
    ({ keyword, keywordLocation }) =>
      !wrappers.has(keyword) && !chosen.some((choice) => keywordLocation.startsWith(`${choice.keywordLocation}/`)),
  );
  const lines = [...new Set((own.length === 0 ? errors : own).map(lineOf))];
  const more = lines.length > maxNamed ? [`and ${lines.length - maxNamed} more`] : [];
  return [...lines.slice(0, maxNamed), ...more].join("; ").replace(/\.$/, "");
}

function lineOf({ keyword, instanceLocation, error }: OutputUnit): string {
  const place = instanceLocation === "#" ? "the value" : instanceLocation.slice(1);
  return keyword === "false" ? `${place} is not allowed` : `${place}: ${error.replace(/\.$/, "")}`;
}
