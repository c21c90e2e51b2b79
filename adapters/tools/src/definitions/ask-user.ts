import { askUserAliases } from "../arguments/session-argument-aliases.ts";
import { maxTimeoutSeconds } from "../session/limits.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

const oneQuestion = {
  type: "object",
  properties: {
    question: { type: "string", minLength: 1 },
    options: {
      type: "array",
      maxItems: 10,
      items: {
        type: "object",
        properties: { label: { type: "string", minLength: 1 }, description: { type: "string" } },
        required: ["label"],
      },
    },
    multiple: { type: "boolean" },
  },
  required: ["question"],
};

/** What is taken of a question beside what models are shown: what helps the user, and what counts when nobody answers. */
const besides = {
  context: { type: "string" },
  default: { type: ["string", "array"], items: { type: "string" } },
  timeout_seconds: { type: "number", minimum: 1, maximum: maxTimeoutSeconds },
};

/** Concerns the session itself: the engine decides it, nothing runs. */
export const askUser: ToolEntry = {
  name: "ask_user",
  definition: () => definition,
  accepts: {
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: { ...oneQuestion, properties: { ...oneQuestion.properties, ...besides } },
      },
    },
    required: ["questions"],
  },
  effect: "session",
  settles: false,
  rules: { names: ["ask_user_question"], pattern: "none", contents: "untouched" },
  aliases: [
    "ask_user_question",
    "AskUserQuestion",
    "ask_question",
    "ask_followup_question",
    "request_user_input",
    "question",
  ],
  argumentAliases: askUserAliases,
  load: async () => (await import("../implementations.ts")).createAskUserTool(),
};

const definition: ToolText = {
  description:
    "Ask the user what only they can decide; give options where there are some. Not for what can be looked up, and not to ask whether to continue.",
  inputSchema: {
    type: "object",
    properties: {
      questions: { type: "array", minItems: 1, maxItems: 4, items: oneQuestion },
    },
    required: ["questions"],
    additionalProperties: false,
  },
};
