import type { Finding } from "../wire-problem.ts";
import {
  type AnthropicBlock,
  type AnthropicMessage,
  type ServerResultType,
  serverResultTypes,
} from "./anthropic-request.ts";

/** Every `tool_use` is answered by exactly one `tool_result` at the start of the next message, and no result stands alone. */
export function checkPairs(messages: readonly AnthropicMessage[]): Finding | undefined {
  const seen = new Set<string>();
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const finding = checkResults(blocks, open, index) ?? checkUses(blocks, seen, index);
    if (finding !== undefined) return finding;
    open = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  }
  return open.length === 0 ? undefined : unanswered(open, messages.length - 1);
}

/** A message's blocks; plain text counts as none of interest. */
export function blocksOf(message: AnthropicMessage): readonly AnthropicBlock[] {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

/**
 * The vendor's own tools answer inside the assistant message. A last message may still wait for one (it was paused), and so
 * may one that calls tools of the client, too: the vendor runs its own once those are answered.
 */
export function checkServerPairs(messages: readonly AnthropicMessage[]): Finding | undefined {
  const waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const finding = checkServerResults(blocksOf(message), index === messages.length - 1, waiting);
    if (finding !== undefined) return { path: ["messages", index, ...finding.path], message: finding.message };
  }
  return undefined;
}

function checkServerResults(
  blocks: readonly AnthropicBlock[],
  isLast: boolean,
  waiting: Set<string>,
): Finding | undefined {
  const open = new Map<string, number>();
  for (const [at, block] of blocks.entries()) {
    if (block.type === "server_tool_use") open.set(block.id, at);
    if (!isServerResult(block) || open.delete(block.tool_use_id) || waiting.delete(block.tool_use_id)) continue;
    const message = `unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${block.tool_use_id}`;
    return { path: ["content", at], message };
  }
  const [lost] = open;
  if (lost === undefined || isLast) return undefined;
  if (blocks.some((block) => block.type === "tool_use")) {
    for (const id of open.keys()) waiting.add(id);
    return undefined;
  }
  const message = `\`server_tool_use\` with id ${lost[0]} was found without its result block`;
  return { path: ["content", lost[1]], message };
}

type ServerResult = Extract<AnthropicBlock, { readonly type: ServerResultType }>;

function isServerResult(block: AnthropicBlock): block is ServerResult {
  return serverResultTypes.some((type) => type === block.type);
}

function checkResults(blocks: readonly AnthropicBlock[], open: readonly string[], index: number): Finding | undefined {
  const answered = new Set<string>();
  let resultsEnded = false;
  for (const [at, block] of blocks.entries()) {
    if (block.type !== "tool_result") {
      resultsEnded = true;
      continue;
    }
    const problem = resultProblem(block.tool_use_id, { open, answered, resultsEnded });
    if (problem !== undefined) return { path: ["messages", index, "content", at], message: problem };
    answered.add(block.tool_use_id);
  }
  const missing = open.filter((id) => !answered.has(id));
  return missing.length === 0 ? undefined : unanswered(missing, index - 1);
}

interface ResultPlace {
  readonly open: readonly string[];
  readonly answered: ReadonlySet<string>;
  readonly resultsEnded: boolean;
}

function resultProblem(id: string, place: ResultPlace): string | undefined {
  if (!place.open.includes(id)) {
    return `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each result needs its \`tool_use\` block in the previous message`;
  }
  if (place.answered.has(id)) return `each \`tool_use\` must have a single result, found more than one for ${id}`;
  return place.resultsEnded ? "`tool_result` blocks must come first in the message that answers tool calls" : undefined;
}

function unanswered(ids: readonly string[], index: number): Finding {
  return {
    path: ["messages", index],
    message: `\`tool_use\` ids were found without \`tool_result\` blocks in the next message: ${ids.join(", ")}`,
  };
}

function checkUses(blocks: readonly AnthropicBlock[], seen: Set<string>, index: number): Finding | undefined {
  for (const [at, block] of blocks.entries()) {
    if (block.type !== "tool_use") continue;
    if (seen.has(block.id)) {
      return {
        path: ["messages", index, "content", at, "id"],
        message: `\`tool_use\` ids must be unique: ${block.id}`,
      };
    }
    seen.add(block.id);
  }
  return undefined;
}
