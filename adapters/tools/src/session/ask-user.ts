import { isJsonObject, type JsonObject, type JsonValue, type Question, ToolRefusal } from "@capstan/protocol";
import { maxDescriptionLength, maxLabelLength, maxQuestionLength } from "./limits.ts";
import type { ToolCode } from "../tool-entry.ts";
import { sessionTool, textUpTo } from "./session-tool.ts";

/** Asks the user up to four questions. */
export function createAskUserTool(): ToolCode {
  return sessionTool("ask_user", async ({ questions }) => {
    const asked = listOf(questions).map(toQuestion);
    const more = asked.length > 1 ? ` (and ${asked.length - 1} more)` : "";
    return { session: { type: "ask-user", questions: asked }, summary: `Ask: ${asked[0]?.question ?? ""}${more}` };
  });
}

function toQuestion(value: JsonValue): Question {
  const { question, options, multiple, ...more } = isJsonObject(value) ? value : {};
  const text = textUpTo(question, maxQuestionLength).trim();
  if (text === "") throw new ToolRefusal("rejected", "tool.bad-arguments", "Not asked: a question has no words.");
  const offered = listOf(options).map(toOption);
  if (new Set(offered.map(({ label }) => label)).size < offered.length) {
    const problem = `Not asked: two options of ${JSON.stringify(text.slice(0, maxLabelLength))} have the same label.`;
    throw new ToolRefusal("rejected", "tool.bad-arguments", problem);
  }
  return {
    question: text,
    options: offered,
    multiple: multiple === true && offered.length > 0,
    ...besides(more),
  };
}

/** What helps the user to answer, and what counts when they do not. */
function besides({ context, default: usual, timeout_seconds: seconds }: JsonObject): Partial<Question> {
  const words = typeof context === "string" ? textUpTo(context, maxQuestionLength).trim() : "";
  const defaults = (Array.isArray(usual) ? usual : [usual]).flatMap((answer: JsonValue | undefined) => {
    const text = typeof answer === "string" ? textUpTo(answer, maxDescriptionLength).trim() : "";
    return text === "" ? [] : [text];
  });
  return {
    ...(words === "" ? {} : { context: words }),
    ...(defaults.length === 0 ? {} : { defaults }),
    ...(typeof seconds === "number" ? { timeoutMs: Math.round(seconds * 1000) } : {}),
  };
}

function toOption(value: JsonValue): Question["options"][number] {
  const { label, description } = isJsonObject(value) ? value : {};
  const named = { label: textUpTo(label, maxLabelLength).trim() };
  return typeof description === "string" && description.trim() !== ""
    ? { ...named, description: textUpTo(description, maxDescriptionLength) }
    : named;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
