import type { Finding } from "../wire-problem.ts";
import { blocksOf } from "./pairing-rules.ts";
import type { AnthropicBlock, AnthropicRequest, Cacheable, CacheControl } from "./anthropic-request.ts";

/** The vendor's number of cache breakpoints in one request. */
const cacheBreakpoints = 4;

/** Tool names are unique, and a choice of tools fits the tools there are. */
export function checkTools(request: AnthropicRequest): Finding | undefined {
  const names = (request.tools ?? []).map((tool) => tool.name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0) return { path: ["tools", repeated, "name"], message: "Tool names must be unique" };
  const choice = request.tool_choice;
  if (choice === undefined) return undefined;
  if (names.length === 0 && choice.type !== "none") {
    return { path: ["tool_choice"], message: "tool_choice may only be specified while providing tools" };
  }
  if (choice.type === "tool" && !names.includes(choice.name)) {
    return { path: ["tool_choice", "name"], message: `Tool '${choice.name}' not found in provided tools` };
  }
  return undefined;
}

/** At most four cache breakpoints, and in the order of the prompt no long-lived one after a short-lived one. */
export function checkCaching(request: AnthropicRequest): Finding | undefined {
  const controls = cacheControls(request);
  if (controls.length > cacheBreakpoints) {
    return {
      path: [],
      message: `A maximum of ${cacheBreakpoints} blocks with cache_control may be provided. Found ${controls.length}.`,
    };
  }
  const short = controls.findIndex((control) => control.ttl !== "1h");
  const late = short >= 0 && controls.slice(short).some((control) => control.ttl === "1h");
  if (!late) return undefined;
  return { path: [], message: "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block" };
}

function cacheControls(request: AnthropicRequest): readonly CacheControl[] {
  const system = typeof request.system === "object" ? request.system : [];
  const blocks = request.messages.flatMap(blocksOf).flatMap(withNested);
  // The request's own setting marks the last block that can be cached.
  const parts: readonly Cacheable[] = [...(request.tools ?? []), ...system, ...blocks, request];
  return parts.flatMap(({ cache_control: control }) => (control ? [control] : []));
}

function withNested(block: AnthropicBlock): readonly Cacheable[] {
  switch (block.type) {
    case "thinking":
    case "redacted_thinking":
      return [];
    case "tool_result":
      return typeof block.content === "object" ? [...block.content, block] : [block];
    default:
      return [block];
  }
}
