import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Schema, Validator } from "@cfworker/json-schema";

/** The schema that the protocol publishes with its SDK. */
const published: Schema = readPublished();

/** What a value of this definition does not keep to; `null`: it keeps to it. */
export function problemWith(definition: string, value: unknown): string | null {
  const { valid, errors } = validatorOf(definition).validate(value);
  if (valid) return null;
  return `${definition}: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join("; ")}\n${JSON.stringify(value)}`;
}

const validators = new Map<string, Validator>();

function validatorOf(definition: string): Validator {
  const known = validators.get(definition);
  if (known !== undefined) return known;
  const { anyOf: _any, ...definitions } = published;
  const made = new Validator({ ...definitions, $ref: `#/$defs/${definition}` }, "2020-12", false);
  validators.set(definition, made);
  return made;
}

function readPublished(): Schema {
  const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  return JSON.parse(readFileSync(file, "utf8"));
}
