import { type EngineClient, type Interaction, permissionModes, type SessionClient, userText } from "@capstan/protocol";
import { z } from "zod";
import { listedSessions, maxListedSessions, maxPromptCharacters, maxShownMessages, shownMessages } from "../limits.ts";
import { checkedTool } from "../tools/checked-tool.ts";
import type { CallResult, CallSurroundings, ServerTool } from "../tools/server-tool.ts";
import { answerSession } from "./answer-session.ts";
import { followTurn } from "./follow-turn.ts";
import { answerWords } from "./given-answer.ts";
import { openTurn } from "./open-turn.ts";
import { accepted, type SessionParts } from "./session-parts.ts";
import { restResult, shownQuestions, shownRest, waitingWords } from "./shown-rest.ts";
import { shownList, shownState, stateOf, summaryOf } from "./shown-session.ts";

const session = z.string().min(1).describe("its id, a beginning of it, or its title");
const prompt = z.string().min(1).max(maxPromptCharacters).describe("what to do, in words");

/** What a client can do with sessions. @param hasModel  some can be begun and continued */
export function sessionTools(parts: SessionParts, hasModel: boolean): readonly ServerTool[] {
  return [
    ...(hasModel ? [beginTool(parts), continueTool(parts)] : []),
    answerTool(parts),
    cancelTool(parts),
    inspectTool(parts),
    listTool(parts),
  ];
}

function beginTool({ client, held }: SessionParts): ServerTool {
  return checkedTool({
    name: "begin_session",
    description:
      "Begin a session: an agent works on the prompt in the workspace until its turn ends or it needs a user's answer. Returns its answer, the files it changed, and the questions that wait.",
    isReading: false,
    role: "ask",
    takes: z.strictObject({
      prompt,
      title: z.string().max(200).optional(),
      model: z.string().optional().describe("provider/id; default: the configured one"),
      mode: z.enum(permissionModes).optional().describe("how far it may go; default: the configured mode"),
    }),
    gives: shownRest,
    call: async ({ prompt: words, title, model, mode }, surroundings) =>
      await held.begin(title, async (begun) => {
        const settings = { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) };
        if (Object.keys(settings).length > 0) accepted(await begun.submit({ type: "set", settings }));
        return await say({ client, session: begun, words }, surroundings);
      }),
  });
}

function continueTool({ client, held }: SessionParts): ServerTool {
  return checkedTool({
    name: "continue_session",
    description:
      "Say something more in a session, also one that an earlier process left: what was open there is carried on with first.",
    isReading: false,
    role: "ask",
    takes: z.strictObject({ session, prompt }),
    gives: shownRest,
    call: async ({ session: named, prompt: words }, surroundings) =>
      await held.in(await client.sessions.resolve(named), async (found) => {
        const { pending } = await atRest(client, found, surroundings);
        if (pending.length === 0) return await say({ client, session: found, words }, surroundings);
        return { text: waitingWords(found.id, shownQuestions(pending)), isError: true };
      }),
  });
}

function answerTool(parts: SessionParts): ServerTool {
  return checkedTool({
    name: "answer_session",
    description:
      "Answer a question of a session as the user decided, then wait for its turn like begin_session. Never answer without the user's word.",
    isReading: false,
    role: "approve",
    takes: z.strictObject({
      session,
      question: z.string().min(1).describe("the question's id, or a beginning of it"),
      answer: z.enum(answerWords).describe("one of the answers that the question names"),
      message: z.string().max(maxPromptCharacters).optional().describe("why it is denied, or what to change"),
      arguments: z.record(z.string(), z.json()).optional().describe("with edit: other arguments"),
      replies: z
        .array(z.union([z.string(), z.array(z.string())]))
        .optional()
        .describe("with reply: an entry for each question asked"),
    }),
    gives: shownRest,
    call: async ({ session: named, question, ...given }, surroundings) =>
      await answerSession(
        parts,
        { session: await parts.client.sessions.resolve(named), question, given },
        surroundings,
      ),
  });
}

function cancelTool({ client, held }: SessionParts): ServerTool {
  return checkedTool({
    name: "cancel_session",
    description: "Stop the turn that is open in a session.",
    isReading: false,
    role: "drive",
    takes: z.strictObject({ session }),
    gives: shownRest,
    call: async ({ session: named }, surroundings) =>
      await held.in(await client.sessions.resolve(named), async (found) => {
        const { turnId, seq } = openTurn(await found.snapshot());
        if (turnId === undefined) return { text: `No turn is open in ${found.id}.`, isError: true };
        accepted(await found.submit({ type: "cancel", reason: "interrupted", turnId }));
        const followed = { client, session: found, turnId, isOpen: true, after: seq };
        return restResult(found.id, await followTurn(followed, surroundings));
      }),
  });
}

function inspectTool({ client, identity, held }: SessionParts): ServerTool {
  return checkedTool({
    name: "inspect_session",
    description: "Look at a session: what it does, its last messages, and the questions that wait. Changes nothing.",
    isReading: true,
    role: "watch",
    takes: z.strictObject({
      session,
      limit: z.int().min(1).max(maxShownMessages).optional().describe(`messages (${shownMessages})`),
      before: z.int().min(0).optional().describe("only messages before this place; `earlier` of the page after it"),
    }),
    gives: shownState,
    async call({ session: named, limit = shownMessages, before }) {
      const id = await client.sessions.resolve(named);
      const open = await held.find(id);
      const watched = open ?? (await client.open({ type: "resume", id }, { identity, purpose: "watch" }));
      try {
        const data = stateOf(await watched.snapshot(), await watched.conversation(before ?? null, limit));
        return { text: JSON.stringify(data, null, 1), data };
      } finally {
        if (open === undefined) await watched.close();
      }
    },
  });
}

function listTool({ client }: SessionParts): ServerTool {
  return checkedTool({
    name: "list_sessions",
    description: "List the user's sessions, the newest activity first. Changes nothing.",
    isReading: true,
    role: "watch",
    takes: z.strictObject({
      limit: z.int().min(1).max(maxListedSessions).optional().describe(`how many (${listedSessions})`),
      directory: z.string().optional().describe("only those that work in it"),
    }),
    gives: shownList,
    async call({ limit = listedSessions, directory }) {
      const all = await client.sessions.list();
      const fitting = all.filter(
        ({ cwd, spawnedBy }) => spawnedBy === undefined && (directory === undefined || cwd === directory),
      );
      const data = { sessions: fitting.slice(0, limit).map(summaryOf) };
      return { text: JSON.stringify(data, null, 1), data };
    },
  });
}

/** What is open there comes to its end, or to a question, before anything more is said. */
async function atRest(
  client: EngineClient,
  place: SessionClient,
  surroundings: CallSurroundings,
): Promise<{ readonly pending: readonly Interaction[] }> {
  const { pending, activity, seq } = await place.snapshot();
  const turnId = "turnId" in activity ? activity.turnId : undefined;
  if (pending.length > 0 || turnId === undefined) return { pending };
  const followed = { client, session: place, turnId, isOpen: true, after: seq };
  return { pending: (await followTurn(followed, surroundings)).questions };
}

interface Said {
  readonly client: EngineClient;
  readonly session: SessionClient;
  readonly words: string;
}

/** Words that begin a turn, and that turn's end. */
async function say({ client, session: place, words }: Said, surroundings: CallSurroundings): Promise<CallResult> {
  const turnId = client.newTurnId();
  const { seq } = await place.snapshot();
  accepted(await place.submit({ type: "user-input", turnId, content: userText(words) }));
  const followed = { client, session: place, turnId, isOpen: false, after: seq };
  return restResult(place.id, await followTurn(followed, surroundings));
}
