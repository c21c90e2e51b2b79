import {
  type Check,
  type FileProblem,
  type ClientIdentity,
  type ConfigEntry,
  type Draft,
  type FoundInteraction,
  type FoundFiles,
  type Grant,
  type HistoryPage,
  type ImportReport,
  type InboxEntry,
  isJsonObject,
  type JournalRecord,
  type Lack,
  type KnownFact,
  type ModelEntry,
  type Presence,
  type Receipt,
  type RewindPreview,
  type RewindReport,
  roles,
  type SessionEvent,
  type SessionOwner,
  type SessionSnapshot,
  type SessionSummary,
  type Skill,
  type TrustRequest,
  type ContextReport,
  type Message,
  type ConversationPage,
} from "@capstan/protocol";
import { z } from "zod";
import type { OpenedSession, StreamName } from "./operation-types.ts";
import { name, seq, sessionId } from "./values.ts";
import { asItIs } from "./variants.ts";

// A server may be newer than its client: what it says is checked as far as this version relies on it, and handed on as it is.

/** A record of any type, also of one that this version does not know. */
export const record: z.ZodType<JournalRecord> = z.custom<JournalRecord>(
  (value) => isJsonObject(value) && typeof value["type"] === "string",
  "expected a record",
);
export const sessionEvent: z.ZodType<SessionEvent> = z.object({ seq, at: z.number(), record });

export const summary: z.ZodType<SessionSummary> = asItIs<SessionSummary>("id", "title", "updatedAt");
export const snapshot: z.ZodType<SessionSnapshot> = asItIs<SessionSnapshot>(
  "sessionId",
  "seq",
  "config",
  "activity",
  "pending",
);
export const inboxEntry: z.ZodType<InboxEntry> = asItIs<InboxEntry>("sessionId", "interaction");
export const foundInteraction: z.ZodType<FoundInteraction> = asItIs<FoundInteraction>("type");
export const presence: z.ZodType<Presence> = asItIs<Presence>("clientId", "frontend", "role");
export const owner: z.ZodType<SessionOwner> = asItIs<SessionOwner>("type");
export const receipt: z.ZodType<Receipt> = asItIs<Receipt>("type").describe(
  "a receipt: `accepted` with `seq`, or `refused` with `code`, `reason`, `hint?`",
);
export const grant: z.ZodType<Grant> = asItIs<Grant>("id", "rule", "scope");
export const fact: z.ZodType<KnownFact> = asItIs<KnownFact>("id", "kind", "scope", "text");
export const skill: z.ZodType<Skill> = asItIs<Skill>("name", "description", "from");
export const model: z.ZodType<ModelEntry> = asItIs<ModelEntry>("name");
export const check: z.ZodType<Check> = asItIs<Check>("name", "verdict", "text");
export const fileProblem: z.ZodType<FileProblem> = asItIs<FileProblem>(
  "path",
  "server",
  "line",
  "column",
  "severity",
  "text",
);
export const configEntry: z.ZodType<ConfigEntry> = asItIs<ConfigEntry>("key", "value", "origin");
export const trustRequest: z.ZodType<TrustRequest> = asItIs<TrustRequest>("folder", "digest", "why", "files");
export const importReport: z.ZodType<ImportReport> = asItIs<ImportReport>("sessionId", "agent", "records").describe(
  "`sessionId`, `agent`, `foreignId`, `turns`, `calls`, `records`, `healed`, `notes`",
);
export const rewindPreview: z.ZodType<RewindPreview> = asItIs<RewindPreview>(
  "turns",
  "files",
  "conflicts",
  "left",
).describe("`turns`, `files`, `conflicts`, `left`");
export const context: z.ZodType<ContextReport> = asItIs<ContextReport>("model", "budgetTokens", "summaries").describe(
  "`model`, `windowTokens`, `answerTokens`, `budgetTokens`, `usedTokens`, `isCounted`, `messages`, `summaries`, `resultCharacters`",
);
export const foundFiles: z.ZodType<FoundFiles> = z.object({ paths: z.array(z.string()), isPartial: z.boolean() });
export const draft: z.ZodType<Draft> = asItIs<Draft>("text", "at");

export const identity: z.ZodType<ClientIdentity> = z.object({
  frontend: z.string(),
  user: z.string().exactOptional(),
  role: z.enum(roles),
});

const lack: z.ZodType<Lack> = asItIs<Lack>("code", "reason");

export const opened: z.ZodType<OpenedSession> = z.object({
  sessionId,
  client: name,
  identity,
  recovery: z.object({ after: seq, waits: z.boolean(), lacks: lack.exactOptional() }),
});

export const rewindReport: z.ZodType<RewindReport> = z.object({ receipt, events: z.array(sessionEvent) });

const message: z.ZodType<Message> = asItIs<Message>("role", "content");
export const conversationPage: z.ZodType<ConversationPage> = z.object({ messages: z.array(message), from: seq });
export const historyPage: z.ZodType<HistoryPage> = z.object({
  events: z.array(sessionEvent),
  before: seq.nullable(),
});

export const streamName: z.ZodType<StreamName> = z.object({ stream: name });
export const nothing: z.ZodType<Record<string, never>> = z.object({});
