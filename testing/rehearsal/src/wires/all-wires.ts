import { anthropicWire } from "./anthropic/anthropic-wire.ts";
import { googleWire } from "./google/google-wire.ts";
import { chatWire } from "./openai-chat/chat-wire.ts";
import { responsesWire } from "./openai-responses/responses-wire.ts";
import type { Wire } from "./wire.ts";

/** Every wire the server speaks. The last one answers what none of them claims. */
export const allWires: readonly Wire[] = [anthropicWire, googleWire, responsesWire, chatWire];
