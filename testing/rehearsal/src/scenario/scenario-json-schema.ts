import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { z } from "zod";
import { scenarioFileSchema } from "./scenario-schema.ts";

/** The JSON Schema of a scenario file, for editors and documents. */
export function scenarioJsonSchema(): JsonObject {
  // The detour leaves plain JSON: zod's result carries symbols and non-enumerable parts.
  const schema: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(scenarioFileSchema, { io: "input" })));
  return isJsonObject(schema) ? { title: "Capstan rehearsal scenario", ...schema } : {};
}
