import { methodRoles } from "@capstan/protocol";
import { z } from "zod";
import { maxNameCharacters } from "../limits.ts";
import { named, none, type Operations, page } from "./operation.ts";
import type { OperationId, Params } from "./operation-types.ts";
import * as results from "./results.ts";
import { sessionOperations } from "./session-operations.ts";
import { sessionsOperations } from "./sessions-operations.ts";
import * as values from "./values.ts";
import { fields } from "./variants.ts";

const engineOperations: Operations<
  | "hello"
  | Extract<OperationId, `interactions.${string}` | `grants.${string}` | `facts.${string}` | `trust.${string}`>
  | "skills.list"
  | "config.get"
  | "doctor"
  | "problems.list"
  | "models.list"
> = {
  hello: {
    about:
      "Who answers, and as whom the client counts. The client may name its user and its frontend where the server lets it, and lower its role; never raise it.",
    role: "watch",
    params: values.namedClient,
    result: z.object({
      name: z.literal("capstan"),
      version: z.string(),
      protocol: z.literal(1),
      identity: results.identity,
    }),
  },
  "interactions.list": {
    about: "Everything that waits for a user, in all sessions, oldest first.",
    role: methodRoles["interactions.list"],
    params: none,
    result: z.object({ entries: z.array(results.inboxEntry) }),
  },
  "interactions.find": {
    about: "What an id, or a unique beginning of one, stands for: `pending` with its entry, or `settled` with how.",
    role: methodRoles["interactions.find"],
    params: fields<Params<"interactions.find">>({ name: z.string().max(maxNameCharacters) }),
    result: z.object({ found: results.foundInteraction }),
  },
  "interactions.watch": {
    about: "Begins a stream of `interactions` events: the whole inbox once, and again whenever it changes.",
    role: methodRoles["interactions.watch"],
    params: none,
    result: results.streamName,
  },
  "interactions.answer": {
    about:
      "Answers an interaction of any session. The first valid answer counts; the receipt says what refused another.",
    role: "watch",
    params: fields<Params<"interactions.answer">>({
      ...named,
      sessionId: values.sessionId,
      interactionId: values.interactionId,
      answer: values.interactionAnswer,
    }),
    result: results.receipt,
  },
  "grants.list": {
    about: "Approvals that hold beyond a session.",
    role: methodRoles["grants.list"],
    params: none,
    result: z.object({ grants: z.array(results.grant) }),
  },
  "grants.revoke": {
    about: "Takes such an approval back.",
    role: methodRoles["grants.revoke"],
    params: fields<Params<"grants.revoke">>({ ...named, grantId: values.name }),
    result: z.object({ revoked: z.boolean() }),
  },
  "facts.list": {
    about: "What is remembered beyond sessions: all of it, or what has some of these words.",
    role: methodRoles["facts.list"],
    params: fields<Params<"facts.list">>({
      id: values.name.exactOptional(),
      words: z.string().max(maxNameCharacters).exactOptional(),
      cwd: z.string().exactOptional(),
      since: z.number().exactOptional(),
      until: z.number().exactOptional(),
      limit: page,
    }),
    result: z.object({ facts: z.array(results.fact) }),
  },
  "facts.remember": {
    about: "Remembers words of the user, for a folder (`workspace`) or for all their work (`user`).",
    role: methodRoles["facts.remember"],
    params: fields<Params<"facts.remember">>({
      ...named,
      text: z.string().min(1),
      scope: z.enum(["workspace", "user"]),
      cwd: z.string().min(1),
    }),
    result: z.object({ fact: results.fact }),
  },
  "facts.change": {
    about: "Gives a fact other words: from then on it is the user's.",
    role: methodRoles["facts.change"],
    params: fields<Params<"facts.change">>({ ...named, factId: values.name, text: z.string().min(1) }),
    result: z.object({ changed: z.boolean() }),
  },
  "facts.forget": {
    about: "Forgets a fact.",
    role: methodRoles["facts.forget"],
    params: fields<Params<"facts.forget">>({ ...named, factId: values.name }),
    result: z.object({ forgotten: z.boolean() }),
  },
  "trust.list": {
    about: "Workspaces of this engine's sessions that bring along what nobody trusts as it is now.",
    role: methodRoles["trust.questions"],
    params: none,
    result: z.object({ questions: z.array(results.trustRequest) }),
  },
  "trust.answer": {
    about:
      "Answers such a question; with `trust` what it names counts for every process that starts from then on. `counted` is false where the workspace has changed since.",
    role: methodRoles["trust.answer"],
    params: fields<Params<"trust.answer">>({
      ...named,
      folder: z.string().min(1),
      digest: values.name,
      answer: z.enum(["trust", "not-now"]),
    }),
    result: z.object({ counted: z.boolean() }),
  },
  "skills.list": {
    about: "The skills of this user, and of the workspace where it is trusted, by name.",
    role: methodRoles.skills,
    params: none,
    result: z.object({ skills: z.array(results.skill) }),
  },
  "config.get": {
    about: "Every setting as it holds where the engine runs, with where it was set. Secrets are masked.",
    role: methodRoles.config,
    params: none,
    result: z.object({ entries: z.array(results.configEntry) }),
  },
  doctor: {
    about: "Looks the installation over; nothing is changed.",
    role: methodRoles.doctor,
    params: none,
    result: z.object({ checks: z.array(results.check) }),
  },
  "problems.list": {
    about:
      "What language servers of this process say of the files that a session changed in it; `null`: none was asked.",
    role: methodRoles.problems,
    params: z.strictObject({ sessionId: values.sessionId }),
    result: z.object({ problems: z.array(results.fileProblem).nullable() }),
  },
  "models.list": {
    about: "The models that the configured keys reach.",
    role: methodRoles.models,
    params: none,
    result: z.object({ models: z.array(results.model) }),
  },
};

const { hello, ...others } = engineOperations;

/** Every operation of the protocol; docs/reference/operations.md is made from it. */
export const operations: Operations<OperationId> = {
  hello,
  ...sessionsOperations,
  ...sessionOperations,
  ...others,
};

export function isOperation(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}
