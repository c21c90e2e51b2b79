import { methodRoles } from "@capstan/protocol";
import { z } from "zod";
import { maxListEntries, maxNameCharacters, streamWindowCharacters } from "../limits.ts";
import { inSession, type Operations, page } from "./operation.ts";
import type { InSession, OperationId, Params } from "./operation-types.ts";
import * as results from "./results.ts";
import * as values from "./values.ts";
import { fields } from "./variants.ts";

/** One session that the connection has open. */
export const sessionOperations: Operations<
  | "sessions.rename"
  | "sessions.close"
  | "attach"
  | "taken"
  | "detach"
  | "submit"
  | "queue.change"
  | "snapshot"
  | "history"
  | "conversation"
  | Extract<OperationId, `draft.${string}`>
  | "presence"
  | "owner"
  | "rewind.preview"
  | "context"
  | "files.find"
> = {
  "sessions.rename": {
    about: "Gives a session a title; an empty one removes it.",
    role: "drive",
    params: fields<Params<"sessions.rename">>({ ...inSession, title: values.title }),
    result: results.receipt,
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
  conversation: {
    about:
      "The newest page of messages before the place `before` (`null`: the newest of all), at most `limit`, as the model would read them now; `from` says how many come before.",
    role: "watch",
    params: fields<Params<"conversation">>({ ...inSession, before: values.seq.nullable(), limit: page }),
    result: results.conversationPage,
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
  "rewind.preview": {
    about: "What the submission `rewind` to the first `keepTurns` turns would do now; nothing is changed.",
    role: methodRoles["session.previewRewind"],
    params: fields<Params<"rewind.preview">>({ ...inSession, keepTurns: values.seq }),
    result: results.rewindPreview,
  },
  context: {
    about:
      "What the session's model is shown, how much room it takes, and the summaries that stand for older messages.",
    role: methodRoles["session.context"],
    params: fields<InSession>(inSession),
    result: z.object({ context: results.context.nullable() }),
  },
  "files.find": {
    about:
      "Files of the session's workspace whose paths have the letters of `text` in this order, the best first. What is ignored or denied is left out.",
    role: methodRoles["session.findFiles"],
    params: fields<Params<"files.find">>({
      ...inSession,
      text: z.string().max(maxNameCharacters),
      limit: z.int().min(1).max(maxListEntries),
    }),
    result: results.foundFiles,
  },
};
