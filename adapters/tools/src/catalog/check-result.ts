import { Validator } from "@cfworker/json-schema";
import type { ToolResult } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";

/** What is wrong with the details of a result, for the model; `undefined`: they are as their tool says. */
export type ResultCheck = (result: ToolResult) => string | undefined;

/** Checks results against what their tool declares. Only a success is held to it: a failure says what it can. */
export function resultCheck(tool: string, outputSchema: JsonObject): ResultCheck {
  // A copy: the validator writes marks into the schema it is given.
  const validator = new Validator(structuredClone(outputSchema), "2020-12", true);
  return ({ status, details }) => {
    if (status !== "ok") return undefined;
    if (details === undefined) return `${tool} declares what its details are, and gave none.`;
    const { valid, errors } = validator.validate(details);
    if (valid) return undefined;
    // The last error is about the innermost value.
    const { instanceLocation, error } = errors.at(-1) ?? { instanceLocation: "#", error: "it does not fit" };
    const where = instanceLocation === "#" ? "" : ` at ${instanceLocation.replace(/^#\//, "")}`;
    return inertText(`The details of ${tool} are not what it declares${where}: ${error}`, maxProblemLength);
  };
}

/** UTF-16 units of what is said of a wrong result. */
const maxProblemLength = 400;
