import {
  messageOf,
  type SessionClient,
  type SessionId,
  type SessionSummary,
  type Submission,
  userText,
} from "@capstan/protocol";
import { cellsFrom, duration, emptyTranscript, inertLine, reduce, type Row } from "@capstan/view";
import { cellRows } from "../cells/cell-rows.ts";
import { counted } from "../cells/cell-view.ts";
import { agentsOf } from "../run/agent-watch.ts";
import type { Chat } from "../run/chat.ts";

const titleCharacters = 120;
const pageEvents = 2000;

/** The agents of this session, those at work first: the one that is chosen is looked at, given words, stopped, or opened. */
export async function showAgents(chat: Chat): Promise<void> {
  const agents = agentsOf(await chat.engine.sessions.list(), chat.session.client.id);
  if (agents.length === 0)
    return chat.say("No agent works for this session. `capstan agents` lists those that there are.");
  const chosen = await chat.overlays.pick(
    "Agents of this session",
    agents
      .toSorted((one, other) => atWorkFirst(one) - atWorkFirst(other))
      .map((agent) => ({ value: agent, label: labelOf(agent), about: aboutOf(agent) })),
  );
  if (chosen !== null) await act(chat, chosen);
}

async function act(chat: Chat, agent: SessionSummary): Promise<void> {
  const isAtWork = agent.lastOutcome === undefined;
  const action = await chat.overlays.pick(labelOf(agent), [
    { value: "look" as const, label: "look at its work", about: "whole, as far as it is" },
    ...(isAtWork
      ? [
          { value: "steer" as const, label: "send it words", about: "into its running turn" },
          { value: "stop" as const, label: "stop it", about: "its caller reads that it was stopped" },
        ]
      : []),
    { value: "open" as const, label: "open its session", about: "this one stays; /sessions leads back" },
  ]);
  switch (action) {
    case null:
      return;
    case "look":
      return await withSession(chat, agent.id, (client) => look(chat, client, agent));
    case "open":
      return await chat.open({ type: "resume", id: agent.id });
    case "steer":
      return await steer(chat, agent);
    case "stop":
      return await submitTo(chat, agent, { type: "cancel", reason: "interrupted" }, "It is stopped.");
  }
}

async function look(chat: Chat, client: SessionClient, agent: SessionSummary): Promise<void> {
  const { events } = await client.history(null, pageEvents);
  const view = { columns: chat.columns, now: Date.now(), user: chat.identity.user, isWhole: true };
  const rows: Row[] = [];
  for (const cell of cellsFrom(events.reduce(reduce, emptyTranscript))) rows.push(...cellRows(cell, view));
  chat.overlays.show(labelOf(agent), rows, { atEnd: true });
}

async function steer(chat: Chat, agent: SessionSummary): Promise<void> {
  const words = await chat.overlays.write(labelOf(agent), ["It reads them with its next step."], "");
  if (words === null || words.trim() === "") return;
  const turnId = chat.engine.newTurnId();
  const given = { type: "user-input", turnId, content: userText(words), delivery: "steer" } as const;
  await submitTo(chat, agent, given, `Sent to ${inertLine(agent.spawnedBy?.agent ?? "", titleCharacters)}.`);
}

async function submitTo(chat: Chat, agent: SessionSummary, submission: Submission, done: string): Promise<void> {
  await withSession(chat, agent.id, async (client) => {
    const receipt = await client.submit(submission);
    chat.say(receipt.type === "accepted" ? done : receipt.reason);
  });
}

async function withSession(chat: Chat, id: SessionId, work: (client: SessionClient) => Promise<void>): Promise<void> {
  const options = { identity: chat.identity, purpose: "watch", resume: "wait" } as const;
  const client = await chat.engine.open({ type: "resume", id }, options);
  try {
    await work(client);
  } catch (error) {
    chat.say(messageOf(error));
  } finally {
    await client.close();
  }
}

function atWorkFirst({ lastOutcome }: SessionSummary): number {
  return lastOutcome === undefined ? 0 : 1;
}

/** Its title begins with the agent's name. */
function labelOf({ title }: SessionSummary): string {
  return inertLine(title, titleCharacters);
}

function aboutOf({ lastOutcome, updatedAt, waiting }: SessionSummary): string {
  const state = lastOutcome ?? "at work";
  const asks = waiting === undefined ? [] : [`${counted(waiting, "question")} for you`];
  return [state, `${duration(Date.now() - updatedAt)} ago`, ...asks].join(" · ");
}
