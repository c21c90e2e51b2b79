import type { ConversationPage, Message, SessionSnapshot, SessionSummary } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import { z } from "zod";
import { messageCharacters } from "../limits.ts";
import { shownQuestion, type ShownQuestion, shownQuestions } from "./shown-rest.ts";

/** A line of the list of sessions. */
export interface ShownSummary {
  readonly id: string;
  readonly title: string;
  readonly directory: string;
  readonly model: string;
  readonly updatedAt: string;
  readonly turns: number;
  readonly lastOutcome?: string | undefined;
  readonly questions: number;
}

interface ShownMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A session as it is now. */
interface ShownState {
  readonly session: string;
  readonly title?: string | undefined;
  readonly directory: string;
  readonly model: string;
  readonly mode: string;
  readonly activity: string;
  readonly turns: number;
  readonly lastOutcome?: string | undefined;
  readonly costUsd: number | null;
  readonly messages: readonly ShownMessage[];
  readonly earlier: number;
  readonly questions: readonly ShownQuestion[];
}

export const shownList: z.ZodType<{ readonly sessions: readonly ShownSummary[] }> = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      directory: z.string(),
      model: z.string(),
      updatedAt: z.string().describe("ISO 8601"),
      turns: z.number(),
      lastOutcome: z.string().optional(),
      questions: z.number().describe("how many wait for an answer"),
    }),
  ),
});

export const shownState: z.ZodType<ShownState> = z.object({
  session: z.string(),
  title: z.string().optional(),
  directory: z.string(),
  model: z.string(),
  mode: z.string(),
  activity: z.string().describe("idle, or what it does now"),
  turns: z.number(),
  lastOutcome: z.string().optional(),
  costUsd: z.number().nullable(),
  messages: z
    .array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() }))
    .describe("the newest last; long ones are cut"),
  earlier: z.number().describe("messages before those"),
  questions: z.array(shownQuestion),
});

export function summaryOf(summary: SessionSummary): ShownSummary {
  const { id, title, cwd, model, updatedAt, turns, lastOutcome, waiting = 0 } = summary;
  return {
    id,
    title: inertLine(title, messageCharacters),
    directory: cwd,
    model,
    updatedAt: new Date(updatedAt).toISOString(),
    turns,
    ...(lastOutcome === undefined ? {} : { lastOutcome }),
    questions: waiting,
  };
}

export function stateOf(snapshot: SessionSnapshot, { messages, from }: ConversationPage): ShownState {
  const { config, title, lastOutcome } = snapshot;
  return {
    session: snapshot.sessionId,
    ...(title === undefined ? {} : { title }),
    directory: snapshot.workspace.cwd,
    model: `${config.model.provider}/${config.model.id}`,
    mode: config.mode,
    activity: snapshot.activity.type,
    turns: snapshot.turns.length,
    ...(lastOutcome === undefined ? {} : { lastOutcome }),
    costUsd: snapshot.costUsd,
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    earlier: from,
    questions: shownQuestions(snapshot.pending),
  };
}

function textOf({ content }: Message): string {
  const text = content
    .map(blockText)
    .filter((part) => part !== "")
    .join("\n");
  return text.length > messageCharacters ? `${text.slice(0, messageCharacters).toWellFormed()}…` : text;
}

function blockText(block: Message["content"][number]): string {
  switch (block.type) {
    case "text":
      return inertText(block.text);
    case "tool-call":
      return `[calls ${block.name} ${block.arguments.type === "json" ? inertText(JSON.stringify(block.arguments.value)) : ""}]`;
    case "tool-result":
      return `[result] ${inertText(block.content)}`;
    case "media":
      return `[${block.mediaType}]`;
    default:
      return "";
  }
}
