import { type Message, type ToolDefinition, unreachable } from "@capstan/protocol";
import {
  maxCalibration,
  minCalibration,
  tokensPerAsciiUnit,
  tokensPerBlock,
  tokensPerImage,
  tokensPerMediaUnit,
  tokensPerMessage,
  tokensPerOtherUnit,
} from "./limits.ts";

type Block = Message["content"][number];

/** A guess of how many tokens a text has: what no vendor has counted yet. */
export function textTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 126) others += 1;
  return (text.length - others) * tokensPerAsciiUnit + others * tokensPerOtherUnit;
}

/** A guess of what a message adds to a request, in tokens. Messages never change, so that each is counted once. */
export function messageTokens(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = message.content.reduce((sum, block) => sum + tokensPerBlock + blockTokens(block), tokensPerMessage);
  counted.set(message, tokens);
  return tokens;
}

/** The same of several messages. */
export function messagesTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/** By how much a guess was wrong, within bounds: a vendor that counts oddly once must not make every later guess absurd. */
export function ratioOf(counted: number, guessed: number): number {
  return Math.min(maxCalibration, Math.max(minCalibration, counted / Math.max(1, guessed)));
}

/** A guess of what the text and the tools before the conversation have, in tokens. */
export function preambleTokens(system: string, tools: readonly ToolDefinition[]): number {
  if (tools.length === 0) return textTokens(system);
  // Brackets and commas.
  const between = (tools.length + 1) * tokensPerAsciiUnit;
  return textTokens(system) + tools.reduce((sum, tool) => sum + toolTokens(tool), between);
}

/** Tools stay the same from request to request, so that each is counted once. */
function toolTokens(tool: ToolDefinition): number {
  const known = countedTools.get(tool);
  if (known !== undefined) return known;
  const tokens = textTokens(JSON.stringify(tool));
  countedTools.set(tool, tokens);
  return tokens;
}

/** A guess of what a part of a message has, in tokens. */
export function blockTokens(block: Block): number {
  switch (block.type) {
    case "text":
    case "thinking":
      return textTokens(block.text);
    case "media":
      return block.mediaType.startsWith("image/") ? tokensPerImage : block.data.length * tokensPerMediaUnit;
    case "tool-call":
      return textTokens(block.name) + textTokens(JSON.stringify(block.arguments));
    case "tool-result":
      return textTokens(block.content);
    case "provider-item":
      return textTokens(JSON.stringify(block.item));
    default:
      return unreachable(block);
  }
}

const counted = new WeakMap<Message, number>();
const countedTools = new WeakMap<ToolDefinition, number>();
