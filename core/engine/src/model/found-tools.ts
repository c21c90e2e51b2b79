import type { SessionCall } from "@capstan/protocol";
import { maxOfferedTools } from "../limits.ts";
import type { SessionState } from "./state.ts";

/** What a search for tools adds to those that the model has found, as many as a request has room for. */
export function newlyFound(state: SessionState, call: Extract<SessionCall, { type: "find-tools" }>): readonly string[] {
  const { config, foundTools } = state;
  const tools = config?.tools ?? [];
  const deferred = new Set(tools.flatMap(({ name, deferred: isDeferred }) => (isDeferred === true ? [name] : [])));
  const offered = tools.length - deferred.size + foundTools.length;
  const added = call.found.filter((name) => deferred.has(name) && !foundTools.includes(name));
  return added.slice(0, Math.max(0, maxOfferedTools - offered));
}
