import type { JsonObject, ModelSettings, ToolDefinition } from "@capstan/protocol";
import { textOption } from "../shared/request/model-option.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { madeOnce } from "../shared/request/tool-forms.ts";
import { wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { toOpenApiSchema } from "./open-api-schema.ts";

/**
 * The tools of a request: `{}` where there are none. Option `schema_field`: `parametersJsonSchema` (today's, takes any JSON
 * Schema) or `parameters` (older servers, a subset of OpenAPI).
 */
export function toolFields(tools: readonly ToolDefinition[], model: ModelSettings): JsonObject {
  if (tools.length === 0) return {};
  const asSubset = textOption(model, "schema_field") === "parameters";
  return { tools: [{ functionDeclarations: tools.map((tool) => declaration(tool, asSubset)) }] };
}

/**
 * A function's name as the wire takes it. One the vendor allows stays as it is: the model may have made it up
 * (`default_api:read_file`), and its signature stands on the name it came with.
 */
export function googleToolName(name: string): string {
  if (/^[A-Za-z_][\w.:-]{0,127}$/.test(name)) return name;
  const clean = name
    .split(".")
    .map((piece) => (piece === "" ? "" : wireToolName(piece)))
    .join(".");
  return (/^[A-Za-z_]/.test(clean) ? clean : `_${clean}`).slice(0, 64);
}

const declaration = madeOnce((tool, asSubset): JsonObject => {
  const name = googleToolName(tool.name);
  const schema = wellFormedObject(tool.inputSchema);
  return {
    name,
    // The vendor demands a description.
    description: isBlank(tool.description) ? name : wellFormed(tool.description),
    ...(asSubset ? subset(schema) : { parametersJsonSchema: { type: "object", ...schema } }),
  };
});

/** The subset has no object without properties: a function without parameters has no schema at all. */
function subset(schema: JsonObject): JsonObject {
  const parameters = toOpenApiSchema(schema);
  const properties = parameters["properties"];
  const empty = properties === undefined || Object.keys(Object(properties)).length === 0;
  return empty ? {} : { parameters: { ...parameters, type: "object" } };
}
