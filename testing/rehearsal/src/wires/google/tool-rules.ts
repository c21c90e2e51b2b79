import type { Finding } from "../wire-problem.ts";
import type { GoogleFunction, GoogleRequest, GoogleTool } from "./google-request.ts";

/** Names are unique, and a function has one schema: of JSON Schema, or of the vendor's subset of OpenAPI. */
export function checkTools(tools: readonly GoogleTool[] = []): Finding | undefined {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    for (const [at, declaration] of (tool.functionDeclarations ?? []).entries()) {
      const path = ["tools", index, "functionDeclarations", at];
      if (names.has(declaration.name))
        return { path, message: `Duplicate function declaration found: ${declaration.name}` };
      names.add(declaration.name);
      const message = schemaProblem(declaration);
      if (message !== undefined) return { path, message };
    }
  }
  return undefined;
}

/** Level and budget exclude each other. */
export function checkThinking({ generationConfig }: GoogleRequest): Finding | undefined {
  const thinking = generationConfig?.thinkingConfig;
  if (thinking?.thinkingBudget === undefined || thinking.thinkingLevel === undefined) return undefined;
  return {
    path: ["generationConfig", "thinkingConfig"],
    message: "You can only set only one of thinking budget and thinking level.",
  };
}

function schemaProblem({ parameters, parametersJsonSchema }: GoogleFunction): string | undefined {
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    return "parameters and parameters_json_schema are mutually exclusive";
  }
  if (parametersJsonSchema !== undefined) {
    return typeIn(parametersJsonSchema) === "object" ? undefined : "schema must be an object";
  }
  return parameters === undefined ? undefined : subsetProblem(parameters, true);
}

const keywords: ReadonlySet<string> = new Set(
  (
    "type format title description nullable enum default example pattern anyOf items minItems maxItems properties " +
    "required propertyOrdering minProperties maxProperties minimum maximum minLength maxLength"
  ).split(" "),
);

function subsetProblem(schema: object, isRoot: boolean): string | undefined {
  const unknown = Object.keys(schema).find((key) => !keywords.has(key));
  if (unknown !== undefined) return `Unknown name "${unknown}": Cannot find field.`;
  const named = typeIn(schema);
  const type = typeof named === "string" ? named.toLowerCase() : "";
  const properties = Object.values(Object(Reflect.get(schema, "properties") ?? {}));
  if (isRoot && type !== "object") return "parameters: schema must be an object";
  if (isRoot && properties.length === 0) return "parameters.properties: should be non-empty for OBJECT type";
  if (type === "array" && Reflect.get(schema, "items") === undefined) return "items: missing field.";
  const inner = [
    ...properties,
    Reflect.get(schema, "items"),
    ...Object.values(Object(Reflect.get(schema, "anyOf") ?? {})),
  ];
  return inner
    .map((item) => (item instanceof Object ? subsetProblem(item, false) : undefined))
    .find((problem) => problem !== undefined);
}

function typeIn(schema: object): unknown {
  return Reflect.get(schema, "type");
}
