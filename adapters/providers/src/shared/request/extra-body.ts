import { type JsonObject, type ModelSettings, reservedBodyFields } from "@capstan/protocol";
import { objectOf } from "../json-fields.ts";

/** The fields configured for every request's body, for the end of its head: they win over the wire's own. */
export function extraBody(model: ModelSettings): JsonObject {
  const body = objectOf(model.options["body"]);
  if (body === undefined) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => !reservedBodyFields.includes(name)));
}
