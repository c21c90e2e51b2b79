import type { ToolDefinition } from "@capstan/protocol";

/** Tools that concern the session itself: the engine decides them, nothing runs. */
export const askUserDefinition: ToolDefinition = {
  name: "ask_user",
  description:
    "Ask the user what only they can decide, and wait for the answer. Give options where there are some; any other answer stays possible. " +
    "Not for what can be looked up, and not to ask whether to go on.",
  inputSchema: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: {
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
            multiple: { type: "boolean", description: "Several options may be chosen" },
          },
          required: ["question"],
        },
      },
    },
    required: ["questions"],
    additionalProperties: false,
  },
};

export const updatePlanDefinition: ToolDefinition = {
  name: "update_plan",
  description:
    "Keep the task list of longer work, which the user sees: the whole list each time, with what is done and the one step in progress. " +
    "Not needed for work of one or two steps.",
  inputSchema: {
    type: "object",
    properties: {
      plan: {
        type: "array",
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            step: { type: "string", minLength: 1 },
            status: { type: "string", enum: ["pending", "in_progress", "completed"] },
          },
          required: ["step", "status"],
        },
      },
      explanation: { type: "string" },
    },
    required: ["plan"],
    additionalProperties: false,
  },
};

export const exitPlanModeDefinition: ToolDefinition = {
  name: "exit_plan_mode",
  description:
    "Present the finished plan to the user. They approve it, and it is carried out in a turn of its own; or they want it changed; or they cancel it.",
  inputSchema: {
    type: "object",
    properties: {
      plan: { type: "string", description: "The whole plan, in Markdown." },
      plan_file: { type: "string", description: "A file that holds it instead, such as plans/NAME.md." },
    },
    additionalProperties: false,
  },
  offered: "plan",
};
