import { methodRoles } from "@capstan/protocol";
import { z } from "zod";
import { maxNameCharacters, streamWindowCharacters } from "../limits.ts";
import { named, none, opening, type Operations, page } from "./operation.ts";
import type { OperationId, Params } from "./operation-types.ts";
import * as results from "./results.ts";
import * as values from "./values.ts";
import { fields } from "./variants.ts";

/** Sessions as a whole. */
export const sessionsOperations: Operations<
  Exclude<Extract<OperationId, `sessions.${string}`>, "sessions.rename" | "sessions.close">
> = {
  "sessions.list": {
    about: "All sessions, newest activity first.",
    role: methodRoles["sessions.list"],
    params: none,
    result: z.object({ sessions: z.array(results.summary) }),
  },
  "sessions.watch": {
    about: "Begins a stream of `sessions` events: the whole list once, and again whenever something in it changes.",
    role: methodRoles["sessions.watch"],
    params: none,
    result: results.streamName,
  },
  "sessions.resolve": {
    about: "The full id for an id, a unique beginning of one, or a unique title.",
    role: methodRoles["sessions.resolve"],
    params: fields<Params<"sessions.resolve">>({ name: z.string().max(maxNameCharacters) }),
    result: z.object({ sessionId: values.sessionId }),
  },
  "sessions.read": {
    about: "Kept records of a session after the number `after`, oldest first, at most about `limit`; opens nothing.",
    role: methodRoles["sessions.read"],
    params: fields<Params<"sessions.read">>({
      sessionId: values.sessionId,
      after: values.seq,
      limit: page.exactOptional(),
    }),
    result: z.object({ events: z.array(results.sessionEvent) }),
  },
  "sessions.history": {
    about:
      "The newest page of kept records with numbers below `before` (`null`: the newest of all), at most about `limit`; opens nothing.",
    role: methodRoles["sessions.history"],
    params: fields<Params<"sessions.history">>({
      sessionId: values.sessionId,
      before: values.seq.nullable(),
      limit: page,
    }),
    result: results.historyPage,
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
  "sessions.copy": {
    about: "Copies a session as it is now under a new id, and opens neither. What is in flight stays in the original.",
    role: methodRoles["sessions.copy"],
    params: fields<Params<"sessions.copy">>({ ...named, sessionId: values.sessionId }),
    result: z.object({ sessionId: values.sessionId }),
  },
  "sessions.delete": {
    about: "Deletes a session that no process writes to.",
    role: methodRoles["sessions.delete"],
    params: fields<Params<"sessions.delete">>({ ...named, sessionId: values.sessionId }),
    result: results.nothing,
  },
  "sessions.export": {
    about:
      "Begins a stream of `line` events, the lines of the session's file, and ends it after the last. Secrets are taken out, unless it is `exact`, which takes the role `operate`. `window`: as in `attach`.",
    role: methodRoles["sessions.export"],
    params: fields<Params<"sessions.export">>({
      ...named,
      sessionId: values.sessionId,
      exact: z.boolean(),
      window: z.int().min(1).max(streamWindowCharacters).exactOptional(),
    }),
    result: results.streamName,
  },
  "sessions.import": {
    about:
      "Stores the session of a file, whichever agent wrote it. `as`: the id it gets; `heal`: keeps the good beginning of a broken file.",
    role: methodRoles["sessions.import"],
    params: fields<Params<"sessions.import">>({
      ...named,
      name: values.name,
      text: z.string(),
      as: values.name.exactOptional(),
      heal: z.boolean().exactOptional(),
    }),
    result: results.importReport,
  },
  "sessions.rewind": {
    about:
      "Takes turns `back` (without `keepTurns` the last one), or brings `forth` what was taken, and waits for the end. What an earlier process left is settled first, and nothing is carried on with.",
    role: methodRoles["sessions.rewind"],
    params: fields<Params<"sessions.rewind">>({
      ...named,
      sessionId: values.sessionId,
      request: values.rewindRequest,
    }),
    result: results.rewindReport,
  },
  "sessions.proposals": {
    about:
      "Applies or refuses changes that a session proposed (`files`: some of them, as its snapshot lists them; without it all), and waits for the end. A file that is no longer what the proposal stands on is left alone.",
    role: methodRoles["sessions.settleProposals"],
    params: fields<Params<"sessions.proposals">>({
      ...named,
      sessionId: values.sessionId,
      request: values.proposalsRequest,
    }),
    result: results.rewindReport,
  },
  "sessions.check": {
    about: "Verifies what is stored of a session, what it folds to and what models would be sent.",
    role: methodRoles["sessions.check"],
    params: fields<Params<"sessions.check">>({ sessionId: values.sessionId }),
    result: z.object({ checks: z.array(results.check) }),
  },
};
