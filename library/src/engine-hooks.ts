import type { ProgramHook, ProgramHookAnswer } from "@capstan/ports";
import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

/** Called at a moment; what it may answer stands at `ProgramHook.run`. */
export type HookHandler = ProgramHook["run"];

/** Handlers by the moment's name, any of its names. */
export type HookHandlers = Readonly<Record<string, HookHandler>>;

/** Registers hooks where it is called: a module of hooks. */
export type HookInstaller = (bus: HookBus) => void | Promise<void>;

/** Where hooks are registered; those of one moment run in the order in which they were. */
export interface HookBus {
  on(event: string, handler: HookHandler, options?: Pick<ProgramHook, "matcher" | "name" | "timeoutMs">): void;
}

/** Hooks around calls of tools in the form of Pulse's engine. What they throw refuses the call. */
export interface ToolCallHooks {
  /** @returns other arguments, or nothing */
  onBeforeToolCall?(name: string, input: JsonObject): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** @returns another result for the model, or nothing */
  onAfterToolCall?(
    name: string,
    input: JsonObject,
    output: JsonValue,
  ): JsonValue | undefined | Promise<JsonValue | undefined>;
}

/** Hooks of a program, however it has them. */
export type EngineHooks = ProgramHook | HookHandlers | HookInstaller;

/** All hooks of an engine, in the order in which those of one moment run: as they are given, those around calls last. */
export async function hooksOf(
  given: readonly EngineHooks[],
  aroundCalls: ToolCallHooks | undefined,
): Promise<readonly ProgramHook[]> {
  const hooks: ProgramHook[] = [];
  const bus: HookBus = { on: (event, run, options = {}) => void hooks.push({ ...options, event, run }) };
  for (const each of given) {
    if (typeof each === "function") await each(bus);
    else if (isHook(each)) hooks.push(each);
    else for (const [event, handler] of Object.entries(each)) bus.on(event, handler);
  }
  return [...hooks, ...(aroundCalls === undefined ? [] : adapted(aroundCalls))];
}

function isHook(hooks: ProgramHook | HookHandlers): hooks is ProgramHook {
  return typeof hooks["event"] === "string";
}

function adapted(hooks: ToolCallHooks): readonly ProgramHook[] {
  const onBeforeToolCall = hooks.onBeforeToolCall?.bind(hooks);
  const onAfterToolCall = hooks.onAfterToolCall?.bind(hooks);
  return [
    ...(onBeforeToolCall === undefined
      ? []
      : [
          {
            event: "onBeforeToolCall",
            async run(input: JsonObject): Promise<ProgramHookAnswer> {
              const updatedInput = await onBeforeToolCall(...callOf(input));
              return updatedInput === undefined ? undefined : { hookSpecificOutput: { updatedInput } };
            },
          },
        ]),
    ...(onAfterToolCall === undefined
      ? []
      : [
          {
            event: "onAfterToolCall",
            async run(input: JsonObject): Promise<ProgramHookAnswer> {
              const output = await onAfterToolCall(...callOf(input), resultOf(input));
              return output === undefined ? undefined : { hookSpecificOutput: { updatedToolOutput: output } };
            },
          },
        ]),
  ];
}

/** Name and arguments as other agents write them, which is what answers are read as. */
function callOf({ tool_name: name, tool_input: input }: JsonObject): readonly [string, JsonObject] {
  return [typeof name === "string" ? name : "", isJsonObject(input) ? input : {}];
}

function resultOf({ tool_response: response }: JsonObject): JsonValue {
  if (!isJsonObject(response)) return null;
  return response["content"] ?? response["stdout"] ?? response;
}
