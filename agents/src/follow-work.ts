import { inertLine } from "@capstan/patterns";
import type { AgentReport } from "@capstan/ports";
import {
  type JournalRecord,
  type SessionClient,
  type SessionId,
  ToolRefusal,
  toTurnId,
  type TurnId,
} from "@capstan/protocol";
import { AgentWork } from "./agent-work.ts";
import { progressCharacters } from "./limits.ts";

/** The session of an agent has this one turn: who opens it again finds it, and sends nothing twice. */
export function turnOf(id: SessionId): TurnId {
  return toTurnId(`${id}-work`);
}

/** Gives an agent its work, once. @throws ToolRefusal */
export async function giveWork(client: SessionClient, prompt: string): Promise<void> {
  const content = [{ type: "text", text: prompt }] as const;
  const receipt = await client.submit({ type: "user-input", turnId: turnOf(client.id), content });
  if (receipt.type === "refused") throw refusal(receipt.reason);
}

/** An agent's work, as it happens. */
export interface FollowedWork {
  /** Its end; `closed`: its session was closed before, and its work is open. */
  readonly ended: Promise<{ readonly report: AgentReport; readonly isOver: boolean }>;
  /** Follows no further. */
  leave(): void;
}

/** @param onProgress  receives what it is at, a line at a time */
export function followWork(client: SessionClient, onProgress: (line: string) => void): FollowedWork {
  const done = new AgentWork(client.id, turnOf(client.id));
  const frames = client.attach(0)[Symbol.asyncIterator]();
  const follow = async (): Promise<{ readonly report: AgentReport; readonly isOver: boolean }> => {
    try {
      while (!done.isOver) {
        const step = await frames.next();
        if (step.done === true) break;
        if (step.value.type === "closed") return { report: done.report(step.value.reason), isOver: false };
        if (step.value.type !== "record") continue;
        done.add(step.value.event);
        const line = progressOf(step.value.event.record);
        if (line !== undefined) onProgress(inertLine(line, progressCharacters));
      }
      return { report: done.report(), isOver: done.isOver };
    } finally {
      await frames.return?.();
    }
  };
  const ended = follow();
  // Whoever gives up before it ends does not wait for it.
  ended.catch(() => undefined);
  return {
    ended,
    leave: () => void frames.return?.().catch(() => undefined),
  };
}

function progressOf(record: JournalRecord): string | undefined {
  if (record.type === "tool-decided") return record.action.summary;
  if (record.type !== "interaction-opened") return undefined;
  const { id, request } = record.interaction;
  const what = request.type === "approval" ? request.action.summary : request.type;
  return `waits for an answer (${what}): capstan interactions answer ${id}`;
}

export function refusal(text: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", text);
}
