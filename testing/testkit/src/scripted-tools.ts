import type { Staged, Tool, ToolCatalog, ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import type { Action, EffectClass } from "@capstan/protocol";
import { actionDraft, toolEffects } from "./builders/calls.ts";

/** What a scripted tool does when it runs, and what it works out before. Left out: it says that it ran. */
export interface ToolScript {
  readonly prepare?: (context: ToolContext) => Promise<void>;
  readonly stage?: (action: Action, context: ToolContext) => Promise<Staged>;
  readonly run?: (action: Action, context: ToolRunContext) => Promise<ToolResult>;
}

/** A tool began to run. */
export interface ToolExecution {
  readonly callId: string;
  readonly tool: string;
}

export interface ScriptedTools extends ToolCatalog {
  /** Every execution that began, in order. */
  readonly log: readonly ToolExecution[];
}

/**
 * Three tools: `look` only reads, `change` writes, `act` executes.
 * @param log  continues with the executions of a process that died
 */
export function scriptedTools(
  scripts: Readonly<Record<string, ToolScript>> = {},
  log: ToolExecution[] = [],
): ScriptedTools {
  const tools = Object.entries(toolEffects).map(([name, effect]) => scriptedTool(name, effect, scripts[name], log));
  const find = (name: string): Tool | undefined =>
    tools.find((tool) => tool.definition.name === name || tool.aliases.includes(name));
  return {
    log,
    definitions: () => tools.map((tool) => tool.definition),
    find,
    route: (name, args) => {
      const tool = find(name);
      return tool === undefined ? { type: "unknown" } : { type: "routed", tool, arguments: args, notes: [] };
    },
    check: (_tool, args) =>
      args["wrong"] === undefined
        ? { type: "fits", arguments: args }
        : { type: "wrong", problem: "`wrong` is not an argument" },
  };
}

function scriptedTool(name: string, effect: EffectClass, script: ToolScript = {}, log: ToolExecution[]): Tool {
  const stage = script.stage === undefined ? {} : { stage: script.stage };
  return {
    definition: { name, description: `Does what ${name} says.`, inputSchema: { type: "object" } },
    aliases: [`${name}_alias`],
    effect,
    async prepare(args, context) {
      await script.prepare?.(context);
      return actionDraft(name, args);
    },
    ...stage,
    async run(action, _staged, context) {
      log.push({ callId: context.callId, tool: name });
      return (await script.run?.(action, context)) ?? { status: "ok", content: `${name} ran` };
    },
  };
}
