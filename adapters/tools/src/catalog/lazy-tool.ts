import type { Ground, Tool, ToolResult, ToolRunContext } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { schemaFields } from "../arguments/schema-types.ts";
import { adaptArguments } from "../arguments/adapt-arguments.ts";
import type { ToolsOptions } from "../options.ts";
import type { ToolCode, ToolEntry, ToolParts } from "../tool-entry.ts";

/** A tool whose code is loaded when it is first called: the model reads about every tool, and a first request waits for none. */
export function lazyTool(entry: ToolEntry, parts: ToolParts): Tool {
  const { name, effect, aliases, argumentAliases } = entry;
  const definition = { name, ...entry.definition(parts.options) };
  const accepts = acceptedSchema(entry, definition.inputSchema);
  let loading: Promise<ToolCode> | undefined;
  const code = (): Promise<ToolCode> => (loading ??= entry.load(parts));
  /** Where calls before have left what is not on disk, paths lead there. */
  const codeOver = (ground: Ground | undefined): Promise<ToolCode> =>
    ground === undefined ? code() : entry.load({ ...parts, paths: async () => (await parts.paths()).over(ground) });
  const settling: Pick<Tool, "stage" | "probe"> = {
    stage: async (action, context) => {
      const tool = await codeOver(context.ground);
      if (tool.stage === undefined) throw new Error(`${name} does not stage`);
      return await tool.stage(action, context);
    },
    probe: async (action, settle, context) => {
      const tool = await code();
      if (tool.probe === undefined) throw new Error(`${name} does not probe`);
      return await tool.probe(action, settle, context);
    },
  };
  return {
    definition,
    aliases,
    effect,
    ...(accepts === definition.inputSchema ? {} : { accepts }),
    adapt: (args) => adaptArguments(argumentAliases, accepts, args),
    prepare: async (args, context) => await (await codeOver(context.ground)).prepare(args, context),
    ...(entry.settles ? settling : {}),
    run: async (action, staged, context) => {
      const result = await (await code()).run(action, staged, context);
      const isRead = effect === "read" && result.spent === undefined;
      return withEnds(isRead ? await withAgentsEnd(result, parts.options, context) : result, parts.options, context);
    },
  };
}

/** One that changes nothing by itself brings the report of an agent that has ended. */
async function withAgentsEnd(
  result: ToolResult,
  { agents }: ToolsOptions,
  { sessionId }: ToolRunContext,
): Promise<ToolResult> {
  const report = sessionId === null ? undefined : agents?.background.ended(sessionId);
  return report === undefined ? result : (await import("../implementations.ts")).withReport(result, report);
}

/** A result says what has ended in the background meanwhile. */
function withEnds(result: ToolResult, { background }: ToolsOptions, { sessionId }: ToolRunContext): ToolResult {
  const ended = background === undefined || sessionId === null ? [] : background.ended(sessionId);
  if (ended.length === 0) return result;
  const lines = ended.map((line) => `[Ended in the background: ${line}]`);
  return { ...result, content: [result.content.replace(/\n$/, ""), ...lines].join("\n") };
}

function acceptedSchema({ accepts }: ToolEntry, reported: JsonObject): JsonObject {
  if (accepts === undefined) return reported;
  const properties = { ...schemaFields(reported), ...accepts.properties };
  return { ...reported, properties, required: [...accepts.required] };
}
