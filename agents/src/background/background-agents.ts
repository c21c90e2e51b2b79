import type { AgentReport, AgentsInBackground, BackgroundAgent, LateReport } from "@capstan/ports";
import type { ContextPart, JournalRecord, SessionClient, SessionId } from "@capstan/protocol";
import type { ChildSessions } from "../child-sessions.ts";
import { type FollowedWork, followWork } from "../follow-work.ts";
import { maxInBackground, maxListed } from "../limits.ts";
import { earlierAgents, reportedIn, type WorkSummary } from "./earlier-agents.ts";

/** An agent in the background, as this process knows it. */
interface Work {
  readonly summary: WorkSummary;
  /** What it is at. */
  at: string;
  /** Once it has ended. */
  report: AgentReport | null;
  /** The session's model knows its report: `handed` was given to a result that may not be journaled yet. */
  known: "no" | "handed" | "yes";
  /** While it works. */
  run: { readonly client: SessionClient; readonly followed: FollowedWork; readonly over: Promise<void> } | null;
}

interface Held {
  readonly works: Map<SessionId, Work>;
  /** What earlier processes left was looked at. */
  settled: Promise<void> | null;
  readonly unfollow: () => void;
}

/** Ends of a turn that somebody wanted: what it had begun ends with it. */
const cancelled: ReadonlySet<string> = new Set(["interrupted", "timeout", "terminated"]);

/** The agents that the sessions of this process have at work in the background. */
export class BackgroundAgents implements AgentsInBackground {
  readonly #sessions: ChildSessions;
  readonly #held = new Map<SessionId, Held>();

  readonly #finish: (report: AgentReport) => Promise<AgentReport>;

  /** @param finish  adds what is to be said once an agent has ended; it may be asked again */
  constructor(sessions: ChildSessions, finish: (report: AgentReport) => Promise<AgentReport>) {
    this.#sessions = sessions;
    this.#finish = finish;
  }

  /** Whether one more may work; one that does already may. */
  mayBegin(sessionId: SessionId, id: SessionId): boolean {
    const works = [...(this.#held.get(sessionId)?.works.values() ?? [])].filter(({ run }) => run !== null);
    return works.length < maxInBackground || works.some(({ summary }) => summary.id === id);
  }

  /** Follows an agent that has its work. @param over  called once nothing of it runs here */
  follow(sessionId: SessionId, summary: WorkSummary, client: SessionClient, over: () => void): void {
    const { works } = this.#heldBy(sessionId);
    if (works.get(summary.id)?.run != null) {
      over();
      void client.close().catch(() => undefined);
      return;
    }
    const work: Work = { summary, at: "at work", report: null, known: "no", run: null };
    const followed = followWork(client, (line) => {
      work.at = line;
    });
    const end = async (): Promise<void> => {
      try {
        const { report, isOver } = await followed.ended;
        if (isOver) work.report = await this.#finish(report);
        else works.delete(summary.id);
      } catch {
        // Its session could not be read any further: the next process looks again.
        works.delete(summary.id);
      } finally {
        await client.close().catch(() => undefined);
        work.run = null;
        over();
      }
    };
    work.run = { client, followed, over: end() };
    works.set(summary.id, work);
  }

  async list(sessionId: SessionId): Promise<readonly BackgroundAgent[]> {
    await this.#settle(sessionId);
    return [...this.#heldBy(sessionId).works.values()].slice(-maxListed).map(({ summary, at, report }) => ({
      ...summary,
      at: report === null ? at : null,
      outcome: report?.outcome ?? null,
    }));
  }

  async report(sessionId: SessionId, id: string, signal: AbortSignal): Promise<LateReport | null | undefined> {
    const work = await this.#find(sessionId, id);
    if (work === undefined) return undefined;
    if (work.run !== null) await Promise.race([work.run.over, aborted(signal)]);
    return work.report === null ? null : handOut(work, work.report);
  }

  async stop(sessionId: SessionId, id: string): Promise<LateReport | undefined> {
    const work = await this.#find(sessionId, id);
    if (work === undefined) return undefined;
    await stopWork(work);
    return work.report === null ? undefined : handOut(work, work.report);
  }

  ended(sessionId: SessionId): LateReport | undefined {
    for (const work of this.#held.get(sessionId)?.works.values() ?? [])
      if (work.report !== null && work.known === "no") return handOut(work, work.report);
    return undefined;
  }

  /** For the model, when a turn begins: who works, and whose report it has not read. */
  async context(sessionId: SessionId): Promise<readonly ContextPart[]> {
    await this.#settle(sessionId);
    const works = [...this.#heldBy(sessionId).works.values()];
    if (works.some(({ known }) => known === "handed")) {
      const reported = reportedIn(await this.#sessions.events(sessionId));
      for (const work of works) if (work.known === "handed") work.known = reported.has(work.summary.id) ? "yes" : "no";
    }
    const shown = works.filter(({ report, known }) => report === null || known === "no").slice(-maxListed);
    if (shown.length === 0) return [];
    const lines = shown.map(({ summary: { id, agent, task }, report }) => {
      const state =
        report === null ? "works" : "has ended: its report comes with the next result, and command_output reads it";
      return `- ${id} (${agent}: ${task}): ${state}`;
    });
    return [{ name: "background-agents", text: ["Agents in the background:", ...lines].join("\n") }];
  }

  /** The session is this process's no more: what works stays open. */
  async leave(sessionId: SessionId): Promise<void> {
    const held = this.#held.get(sessionId);
    this.#held.delete(sessionId);
    held?.unfollow();
    const runs = [...(held?.works.values() ?? [])].flatMap(({ run }) => run ?? []);
    for (const { followed } of runs) followed.leave();
    await Promise.all(runs.map(async ({ over }) => await over));
  }

  #heldBy(sessionId: SessionId): Held {
    const known = this.#held.get(sessionId);
    if (known !== undefined) return known;
    const unfollow = this.#sessions.follow(sessionId, (record) => this.#onRecord(sessionId, record));
    const held: Held = { works: new Map(), settled: null, unfollow };
    this.#held.set(sessionId, held);
    return held;
  }

  #onRecord(sessionId: SessionId, record: JournalRecord): void {
    if (record.type !== "turn-ended" || !cancelled.has(record.outcome)) return;
    for (const work of this.#held.get(sessionId)?.works.values() ?? []) void stopWork(work);
  }

  async #find(sessionId: SessionId, id: string): Promise<Work | undefined> {
    await this.#settle(sessionId);
    return [...this.#heldBy(sessionId).works.values()].find(({ summary }) => summary.id === id);
  }

  async #settle(sessionId: SessionId): Promise<void> {
    const held = this.#heldBy(sessionId);
    held.settled ??= this.#carryOn(sessionId, held);
    try {
      await held.settled;
    } catch (error) {
      held.settled = null;
      throw error;
    }
  }

  /** What an earlier process left is carried on with. */
  async #carryOn(sessionId: SessionId, { works }: Held): Promise<void> {
    for (const { summary, report, isKnown, resume } of await earlierAgents(this.#sessions, sessionId)) {
      if (works.has(summary.id)) continue;
      if (report !== null)
        works.set(summary.id, {
          summary,
          at: "",
          report: isKnown ? report : await this.#finish(report),
          known: isKnown ? "yes" : "no",
          run: null,
        });
      else this.follow(sessionId, summary, await resume(), () => undefined);
    }
  }
}

function handOut(work: Work, report: AgentReport): LateReport {
  const isNew = work.known === "no";
  if (isNew) work.known = "handed";
  return { ...report, agent: work.summary.agent, isNew };
}

async function stopWork({ run }: Work): Promise<void> {
  if (run === null) return;
  await run.client.submit({ type: "cancel", reason: "interrupted" }).catch(() => undefined);
  await run.over;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
