import { Validator } from "@cfworker/json-schema";
import type { Tool } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { coerceArguments } from "./arguments/coerce-arguments.ts";
import { describeProblems, type FieldOwners } from "./arguments/describe-problems.ts";
import { findHostileValue } from "./arguments/find-hostile-value.ts";

/** The arguments to use, or what is wrong with them, for the model. */
export type CheckedArguments =
  | { readonly type: "fits"; readonly arguments: JsonObject }
  | { readonly type: "wrong"; readonly problem: string };

/** Checks the arguments of one call against one tool's schema. */
export type ArgumentCheck = (
  tool: Pick<Tool, "definition" | "adapt" | "accepts">,
  args: JsonObject,
) => CheckedArguments;

/**
 * Makes a check that keeps one validator per schema (JSON Schema 2020-12, interpreted: no code is generated from schemas).
 * Field names other agents use and harmless type slips are corrected first; see `adaptArguments` and `coerceArguments`.
 */
export function createArgumentCheck(ownersOf: FieldOwners): ArgumentCheck {
  const validators = new WeakMap<JsonObject, Validator>();
  return ({ definition, adapt, accepts }, args) => {
    const { name } = definition;
    const inputSchema = accepts ?? definition.inputSchema;
    const hostile = findHostileValue(args);
    if (hostile !== undefined) {
      return { type: "wrong", problem: `The arguments of ${name} are not accepted: ${hostile} Nothing was run.` };
    }
    const corrected = coerceArguments(inputSchema, adapt?.(args) ?? args);
    // A copy: the validator writes marks into the schema it is given, and this one is also what the model is sent.
    const validator = validators.get(inputSchema) ?? new Validator(structuredClone(inputSchema), "2020-12", false);
    validators.set(inputSchema, validator);
    const { valid, errors } = validator.validate(corrected);
    if (valid) return { type: "fits", arguments: corrected };
    return {
      type: "wrong",
      problem: describeProblems({ toolName: name, schema: inputSchema, args: corrected, errors }, ownersOf),
    };
  };
}
