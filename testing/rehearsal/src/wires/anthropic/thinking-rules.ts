import type { Finding } from "../wire-problem.ts";
import type { ThinkingMemory } from "../wire.ts";
import { blocksOf } from "./pairing-rules.ts";
import type { AnthropicBlock, AnthropicRequest } from "./anthropic-request.ts";

/** What thinking asks of the other fields, and of the assistant message whose tool calls are being answered. */
export function checkThinking(request: AnthropicRequest, thinkingOf: ThinkingMemory): Finding | undefined {
  return checkSettings(request) ?? checkFinalMessage(request) ?? checkOpenTurn(request, thinkingOf);
}

function checkSettings(request: AnthropicRequest): Finding | undefined {
  const { thinking } = request;
  if (thinking === undefined || thinking.type === "disabled") return undefined;
  const refused = styleProblem(request.model, thinking.type);
  if (refused !== undefined) return { path: ["thinking", "type"], message: refused };
  if (thinking.type === "enabled" && request.max_tokens <= thinking.budget_tokens) {
    return { path: ["max_tokens"], message: "`max_tokens` must be greater than `thinking.budget_tokens`" };
  }
  if (request.temperature !== undefined && request.temperature !== 1) {
    return { path: ["temperature"], message: "`temperature` may only be set to 1 when thinking is enabled" };
  }
  if (request.top_k !== undefined)
    return { path: ["top_k"], message: "`top_k` must be unset when thinking is enabled" };
  if (request.tool_choice?.type === "any" || request.tool_choice?.type === "tool") {
    return { path: ["tool_choice"], message: "Thinking may not be enabled when tool_choice forces tool use" };
  }
  return undefined;
}

/** Claude 4.6 brought adaptive thinking, and the models after it take no budget. Names nobody knows take both. */
function styleProblem(model: string, type: string): string | undefined {
  const version = /claude-(?:[a-z]+-)?(\d+)(?:[.-](\d)(?!\d))?(?!\d)/.exec(model);
  const [, major = "5", minor = "0"] = version ?? [];
  if (version === null && !/claude-(?:fable|mythos)/.test(model)) return undefined;
  const generation = Number(major) * 10 + Number(minor);
  if (type === "enabled" && generation > 46) {
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  }
  return type === "adaptive" && generation < 46 ? "adaptive thinking is not supported on this model" : undefined;
}

/** An assistant message in the last place is one the vendor continues from: thinking can neither end it nor appear unasked. */
function checkFinalMessage(request: AnthropicRequest): Finding | undefined {
  const last = request.messages.at(-1);
  if (last?.role !== "assistant") return undefined;
  const path = ["messages", request.messages.length - 1];
  const blocks = blocksOf(last);
  if (isThinking(blocks.at(-1)))
    return { path, message: "The final block in an assistant message cannot be `thinking`" };
  const at = isOn(request) ? -1 : blocks.findIndex(isThinking);
  if (at < 0) return undefined;
  return {
    path: [...path, "content", at],
    message: "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`",
  };
}

/** While tool calls are being answered, the message that made them must begin with the thinking that led to them. */
function checkOpenTurn(request: AnthropicRequest, thinkingOf: ThinkingMemory): Finding | undefined {
  if (!isOn(request)) return undefined;
  const index = request.messages.findLastIndex((message) => message.role === "assistant");
  const message = request.messages[index];
  if (message === undefined) return undefined;
  const blocks = blocksOf(message);
  const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  if (calls.length === 0) return undefined;
  const sent = calls.map(thinkingOf).find((thinking) => thinking !== undefined);
  const [first] = blocks;
  const expected = sent !== undefined || (request.thinking?.type === "enabled" && blocks.some(isThinking));
  if (expected && !isThinking(first)) {
    return {
      path: ["messages", index, "content", 0, "type"],
      message: `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When thinking is enabled, the assistant message whose tool calls are being answered must start with its thinking block`,
    };
  }
  if (sent !== undefined && first?.type === "thinking" && first.thinking !== sent) {
    return {
      path: ["messages", index, "content", 0],
      message:
        "`thinking` blocks of the latest assistant message cannot be modified: they must remain as they were in the answer",
    };
  }
  return undefined;
}

function isOn(request: AnthropicRequest): boolean {
  return request.thinking !== undefined && request.thinking.type !== "disabled";
}

function isThinking(block: AnthropicBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}
