import type { Role } from "@capstan/protocol";
import { z } from "zod";
import { maxNameCharacters, maxPageEvents, streamWindowCharacters } from "../limits.ts";
import type { InSession, OpenParams, OperationId, Params, Result } from "./operation-types.ts";
import * as results from "./results.ts";
import * as values from "./values.ts";
import { fields } from "./variants.ts";

/** One operation, as data: what it is for, the role it takes, its parameters and its result. */
export interface Operation<Id extends OperationId> {
  readonly about: string;
  readonly role: Role;
  readonly params: z.ZodType<Params<Id>>;
  readonly result: z.ZodType<Result<Id>>;
}

type Shape<Whole> = { readonly [Name in keyof Whole]-?: z.ZodType<Exclude<Whole[Name], undefined>> };

const none = fields<Record<string, never>>({});
const inSession: Shape<InSession> = { sessionId: values.sessionId, client: values.name.exactOptional() };
const opening: Shape<OpenParams> = {
  identity: values.namedClient.exactOptional(),
  purpose: z.enum(["drive", "watch"]).exactOptional(),
  resume: z.enum(["at-once", "wait"]).exactOptional(),
};
const page = z.int().min(1).max(maxPageEvents);

/** Every operation of the protocol; docs/reference/operations.md is made from it. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
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
  "sessions.list": {
    about: "All sessions, newest activity first.",
    role: "watch",
    params: none,
    result: z.object({ sessions: z.array(results.summary) }),
  },
  "sessions.watch": {
    about: "Begins a stream of `sessions` events: the whole list once, and again whenever something in it changes.",
    role: "watch",
    params: none,
    result: results.streamName,
  },
  "sessions.resolve": {
    about: "The full id for an id, a unique beginning of one, or a unique title.",
    role: "watch",
    params: fields<Params<"sessions.resolve">>({ name: z.string().max(maxNameCharacters) }),
    result: z.object({ sessionId: values.sessionId }),
  },
  "sessions.read": {
    about: "Kept records of a session after the number `after`, oldest first, at most about `limit`; opens nothing.",
    role: "watch",
    params: fields<Params<"sessions.read">>({
      sessionId: values.sessionId,
      after: values.seq,
      limit: page.exactOptional(),
    }),
    result: z.object({ events: z.array(results.sessionEvent) }),
  },
  "sessions.create": {
    about: "Begins a session.",
    role: "ask",
    params: fields<Params<"sessions.create">>({
      ...opening,
      id: values.sessionId.exactOptional(),
      title: values.title.exactOptional(),
    }),
    result: results.opened,
  },
  "sessions.open": {
    about:
      "Opens a session. `purpose`: `drive` (the default from the role `ask` on) carries out what is decided, `watch` never does. `resume`: what an earlier process left open is carried on with `at-once` (the default), or must `wait` for a submission `resume`.",
    role: "watch",
    params: fields<Params<"sessions.open">>({ ...opening, sessionId: values.sessionId }),
    result: results.opened,
  },
  "sessions.fork": {
    about: "Begins a session with a copy of another one's records.",
    role: "drive",
    params: fields<Params<"sessions.fork">>({ ...opening, sessionId: values.sessionId }),
    result: results.opened,
  },
  "sessions.rename": {
    about: "Gives a session a title; an empty one removes it.",
    role: "drive",
    params: fields<Params<"sessions.rename">>({ ...inSession, title: values.title }),
    result: results.receipt,
  },
  "sessions.delete": {
    about: "Deletes a session that no process writes to.",
    role: "operate",
    params: fields<Params<"sessions.delete">>({ sessionId: values.sessionId }),
    result: results.nothing,
  },
  "sessions.close": {
    about: "Gives back what an opening gave; attachments of it end.",
    role: "watch",
    params: fields<InSession>(inSession),
    result: results.nothing,
  },
  attach: {
    about:
      "Begins a stream of events: `snapshot`, then a `record` for every record after the number `after`, then `live`, then every further record. With `window` the server sends at most so many characters of event lines beyond what `taken` reported.",
    role: "watch",
    params: fields<Params<"attach">>({
      ...inSession,
      after: values.seq,
      window: z.int().min(1).max(streamWindowCharacters).exactOptional(),
    }),
    result: results.streamName,
  },
  taken: {
    about: "Characters of event lines of a stream, line ends left out, that the client has taken since it began.",
    role: "watch",
    params: fields<Params<"taken">>({ stream: values.name, characters: values.seq }),
    result: results.nothing,
  },
  detach: {
    about: "Ends a stream, or with `sessionId` every attachment to that session.",
    role: "watch",
    params: fields<Params<"detach">>({
      stream: values.name.exactOptional(),
      sessionId: values.sessionId.exactOptional(),
    }),
    result: results.nothing,
  },
  submit: {
    about:
      "Sends a submission. The receipt says whether it counted; each submission takes a role of its own. Repeating one changes nothing.",
    role: "watch",
    params: fields<Params<"submit">>({ ...inSession, submission: values.submission }),
    result: results.receipt,
  },
  "queue.change": {
    about: "Changes one waiting input: the submission `queue-change`.",
    role: "watch",
    params: fields<Params<"queue.change">>({ ...inSession, turnId: values.turnId, change: values.queueChange }),
    result: results.receipt,
  },
  snapshot: {
    about: "The session now.",
    role: "watch",
    params: fields<InSession>(inSession),
    result: z.object({ snapshot: results.snapshot }),
  },
  history: {
    about: "The newest page of records with numbers below `before` (`null`: the newest of all), at most about `limit`.",
    role: "watch",
    params: fields<Params<"history">>({ ...inSession, before: values.seq.nullable(), limit: page }),
    result: results.historyPage,
  },
  "draft.read": {
    about: "What this client's user typed in this session and did not send.",
    role: "watch",
    params: fields<InSession>(inSession),
    result: z.object({ draft: results.draft.nullable() }),
  },
  "draft.save": {
    about: "Stores the draft; `null` or an empty text removes it.",
    role: "watch",
    params: fields<Params<"draft.save">>({ ...inSession, text: z.string().nullable() }),
    result: results.nothing,
  },
  presence: {
    about: "Who is attached to the session.",
    role: "watch",
    params: fields<InSession>(inSession),
    result: z.object({ present: z.array(results.presence) }),
  },
  owner: {
    about: "The process that writes to the session.",
    role: "watch",
    params: fields<InSession>(inSession),
    result: z.object({ owner: results.owner }),
  },
  "interactions.list": {
    about: "Everything that waits for a user, in all sessions, oldest first.",
    role: "watch",
    params: none,
    result: z.object({ entries: z.array(results.inboxEntry) }),
  },
  "interactions.find": {
    about: "What an id, or a unique beginning of one, stands for: `pending` with its entry, or `settled` with how.",
    role: "watch",
    params: fields<Params<"interactions.find">>({ name: z.string().max(maxNameCharacters) }),
    result: z.object({ found: results.foundInteraction }),
  },
  "interactions.watch": {
    about: "Begins a stream of `interactions` events: the whole inbox once, and again whenever it changes.",
    role: "watch",
    params: none,
    result: results.streamName,
  },
  "interactions.answer": {
    about:
      "Answers an interaction of any session. The first valid answer counts; the receipt says what refused another.",
    role: "watch",
    params: fields<Params<"interactions.answer">>({
      sessionId: values.sessionId,
      interactionId: values.interactionId,
      answer: values.interactionAnswer,
      identity: values.namedClient.exactOptional(),
    }),
    result: results.receipt,
  },
  "grants.list": {
    about: "Approvals that hold beyond a session.",
    role: "watch",
    params: none,
    result: z.object({ grants: z.array(results.grant) }),
  },
  "grants.revoke": {
    about: "Takes such an approval back.",
    role: "operate",
    params: fields<Params<"grants.revoke">>({
      grantId: values.name,
      identity: values.namedClient.exactOptional(),
    }),
    result: z.object({ revoked: z.boolean() }),
  },
  "models.list": {
    about: "The models that the configured keys reach.",
    role: "watch",
    params: none,
    result: z.object({ models: z.array(results.model) }),
  },
};

export function isOperation(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}
