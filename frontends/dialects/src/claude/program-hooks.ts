import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { ControlChannel } from "./control-channel.ts";

const msPerSecond = 1000;

/** A hook that lives in the program, as it announced it. */
export interface AnnouncedHook {
  readonly event: string;
  readonly matcher?: string;
  readonly callbackId: string;
  readonly timeoutMs?: number;
}

/** A hook as the engine is given it. */
export interface CallbackHook {
  readonly event: string;
  readonly matcher?: string;
  readonly name: string;
  readonly timeoutMs?: number;
  run(input: JsonObject, context: { readonly signal: AbortSignal }): Promise<JsonObject>;
}

/** @returns in words what of them cannot be read: a hook may be what keeps a call from running, and none is left out */
export function announcedHooks(hooks: JsonValue | undefined): readonly AnnouncedHook[] | string {
  if (hooks === undefined || hooks === null) return [];
  if (!isJsonObject(hooks)) return "initialize: `hooks` must be an object";
  const found: AnnouncedHook[] = [];
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) return `initialize: hooks.${event} must be a list`;
    for (const group of groups) {
      if (!isJsonObject(group) || !Array.isArray(group["hookCallbackIds"]))
        return `initialize: an entry of hooks.${event} has no \`hookCallbackIds\``;
      const { matcher, timeout, hookCallbackIds: ids } = group;
      for (const callbackId of ids) {
        if (typeof callbackId !== "string") return `initialize: an id of hooks.${event} is no text`;
        found.push({
          event,
          callbackId,
          ...(typeof matcher === "string" ? { matcher } : {}),
          ...(typeof timeout === "number" && timeout > 0 ? { timeoutMs: timeout * msPerSecond } : {}),
        });
      }
    }
  }
  return found;
}

/** The program is asked for each; where it cannot answer, what the hook was to be asked about is refused. */
export function callbackHooks(announced: readonly AnnouncedHook[], control: ControlChannel): readonly CallbackHook[] {
  return announced.map(({ callbackId, ...hook }) => ({
    ...hook,
    name: `${hook.event} (${callbackId}) of the program`,
    async run(input, { signal }) {
      const { tool_use_id: callId } = input;
      const ids = { callback_id: callbackId, ...(typeof callId === "string" ? { tool_use_id: callId } : {}) };
      const answer = await control.request({ subtype: "hook_callback", ...ids, input }, signal);
      if (answer === null) throw new Error("the program does not answer any more");
      return answer;
    },
  }));
}
