import {
  type CompactionChange,
  type InteractionAnswer,
  type InteractionId,
  isJsonObject,
  type JsonObject,
  permissionModes,
  type QueueChange,
  type ProposalsRequest,
  type ProposedFile,
  type RewindRequest,
  roles,
  type SessionId,
  type SettingsPatch,
  type StepId,
  type Submission,
  toInteractionId,
  toolStrategies,
  toSessionId,
  toStepId,
  toTurnId,
  type TurnId,
  type TurnLimits,
  type UserCommand,
  type UserContent,
} from "@capstan/protocol";
import { z } from "zod";
import { maxListEntries, maxNameCharacters } from "../limits.ts";
import type { NamedClient } from "./operation-types.ts";
import { fields, variants } from "./variants.ts";

/** A name or an id. */
export const name: z.ZodType<string> = z.string().min(1).max(maxNameCharacters);
export const sessionId: z.ZodType<SessionId> = name.transform(toSessionId);
export const turnId: z.ZodType<TurnId> = name.transform(toTurnId);
const stepId: z.ZodType<StepId> = name.transform(toStepId);
export const interactionId: z.ZodType<InteractionId> = name.transform(toInteractionId);

/** A number of a record; 0 stands before the first. */
export const seq: z.ZodType<number> = z.int().min(0);
export const title: z.ZodType<string> = z.string().max(maxNameCharacters);

const text = z.string();
const jsonObject = z.custom<JsonObject>(isJsonObject, "expected an object");
const limit = z.number().positive();
const bound = limit.nullable();

export const namedClient: z.ZodType<NamedClient> = fields<NamedClient>({
  role: z.enum(roles).exactOptional(),
  user: name.exactOptional(),
  frontend: name.exactOptional(),
});

const content: z.ZodType<readonly UserContent[]> = z
  .array(variants<UserContent>({ text: { text }, media: { mediaType: name, data: text, name: name.exactOptional() } }))
  .max(maxListEntries);

export const queueChange: z.ZodType<QueueChange> = variants<QueueChange>({
  remove: {},
  replace: { content },
  move: { before: turnId.nullable() },
  now: {},
});

const carryOutModes = ["default", "accept-edits", "auto"] as const;

export const interactionAnswer: z.ZodType<InteractionAnswer> = variants<InteractionAnswer>({
  approve: { digest: name, scope: z.enum(["once", "session", "always", "workspace"]).exactOptional() },
  edit: { digest: name, arguments: jsonObject },
  deny: { message: text.exactOptional() },
  reply: { answers: z.array(z.array(text).max(maxListEntries)).max(maxListEntries) },
  plan: {
    digest: name,
    decision: z.enum(["proceed", "proceed-clean", "adjust", "cancel"]),
    mode: z.enum(carryOutModes).exactOptional(),
    message: text.exactOptional(),
  },
  continue: {},
  stop: {},
  "accept-as-done": {},
  "run-again": {},
  undo: {},
  "tell-model": {},
  discard: {},
});

const limits = fields<Partial<TurnLimits>>({
  maxToolCallsPerBatch: limit.exactOptional(),
  maxToolIterationsPerTurn: limit.exactOptional(),
  maxModelCallsPerTurn: bound.exactOptional(),
  maxCostUsd: bound.exactOptional(),
  maxTokensPerTurn: bound.exactOptional(),
  maxTurnDurationMs: bound.exactOptional(),
  maxToolArgumentsBytes: limit.exactOptional(),
  maxIdenticalCalls: limit.exactOptional(),
  maxParallelReads: limit.exactOptional(),
  maxBytesWrittenPerTurn: bound.exactOptional(),
  maxFilesWrittenPerTurn: bound.exactOptional(),
});

const settings = fields<SettingsPatch>({
  mode: z.enum(permissionModes).exactOptional(),
  model: name.exactOptional(),
  effort: name.exactOptional(),
  strategy: z.enum(toolStrategies).exactOptional(),
  limits: limits.exactOptional(),
});

export const rewindRequest: z.ZodType<RewindRequest> = variants<RewindRequest>({
  back: { keepTurns: seq.exactOptional(), conversation: z.boolean(), files: z.boolean() },
  forth: {},
});

const proposals = {
  decision: z.enum(["apply", "refuse"]),
  files: z
    .array(fields<ProposedFile>({ proposal: name, path: text }))
    .max(maxListEntries)
    .exactOptional(),
};

export const proposalsRequest: z.ZodType<ProposalsRequest> = fields<ProposalsRequest>(proposals);

const userCommand: z.ZodType<UserCommand> = z.union([
  fields<Extract<UserCommand, { argv: unknown }>>({ argv: z.array(text).min(1).max(maxListEntries) }),
  fields<Extract<UserCommand, { script: unknown }>>({ script: text }),
]);

const compactionChange = variants<CompactionChange>({ edit: { summary: text }, undo: {}, redo: {} });

/** Every submission; whoever adds one is led here by the compiler. */
export const submission: z.ZodType<Submission> = variants<Submission>({
  "user-input": {
    turnId,
    content,
    delivery: z.enum(["queue", "steer"]).exactOptional(),
    expectedTurnId: turnId.exactOptional(),
    follows: turnId.exactOptional(),
  },
  "run-for-user": { turnId, command: userCommand },
  cancel: {
    reason: z.enum(["interrupted", "timeout", "terminated"]),
    turnId: turnId.exactOptional(),
    queued: z.enum(["continue", "hand-back"]).exactOptional(),
  },
  "queue-change": { turnId, change: queueChange },
  answer: { interactionId, answer: interactionAnswer, answerId: name.exactOptional() },
  set: { settings },
  title: { title },
  resume: {},
  compact: { submissionId: name.exactOptional() },
  "change-compaction": { compaction: stepId, change: compactionChange, submissionId: name.exactOptional() },
  rewind: { keepTurns: seq, conversation: z.boolean(), files: z.boolean(), submissionId: name.exactOptional() },
  unwind: { submissionId: name.exactOptional() },
  "settle-proposals": { ...proposals, submissionId: name.exactOptional() },
  "revoke-grant": { grantId: name },
});
