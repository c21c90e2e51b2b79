import { setTimeout as sleep } from "node:timers/promises";
import { answerProblem } from "@capstan/policy";
import type { Grants, PostedAnswer } from "@capstan/ports";
import type { Interaction, InteractionAnswer, Origin, SessionId } from "@capstan/protocol";
import { type DecisionPorts, shownInteraction, shownRule } from "@capstan/runtime";
import { findInteraction, ownerOf, pendingEntries, settledIn } from "./find-interaction.ts";
import type { AnswerReport, Found, InboxEntry, Settled } from "./inbox-entry.ts";
import { lookIntervalMs, maxLooks, watchIntervalMs } from "../limits.ts";
import { decidePosted } from "./take-over.ts";

/** What a watcher of the inbox receives. */
export type InboxEvent =
  | { readonly type: "opened"; readonly entry: InboxEntry }
  | { readonly type: "settled"; readonly entry: InboxEntry; readonly settled: Settled | null };

/** Everything that waits for a user, in all sessions, answered from any process. */
export class Inbox {
  readonly #ports: DecisionPorts;

  constructor(ports: DecisionPorts) {
    this.#ports = ports;
  }

  /** Remembered approvals, as they are shown. */
  get grants(): Pick<Grants, "list" | "remove"> {
    const { store, redact } = this.#ports;
    return {
      list: async () => (await store.grants.list()).map((grant) => ({ ...grant, rule: shownRule(grant.rule, redact) })),
      remove: (id) => store.grants.remove(id),
    };
  }

  /** Oldest first. */
  async list(): Promise<readonly InboxEntry[]> {
    return (await pendingEntries(this.#ports.store)).map((entry) => this.#shown(entry));
  }

  /** @throws {AppError} `interaction.unknown`, `usage.invalid` for a beginning that fits several */
  async find(idOrPrefix: string): Promise<Found> {
    const found = await findInteraction(this.#ports.store, idOrPrefix);
    return found.type === "pending" ? { ...found, entry: this.#shown(found.entry) } : this.#shown(found);
  }

  /** The journal holds arguments exactly; whoever looks on sees them without secrets. */
  #shown<T extends { readonly interaction: Interaction }>(place: T): T {
    return { ...place, interaction: shownInteraction(place.interaction, this.#ports.redact) };
  }

  /**
   * Answers something: leaves the answer for the process that writes to the session and waits for its word, or, where there is
   * none or it dies meanwhile, decides on it here, without carrying anything out. The first valid answer that is durable
   * counts; any other leaves no trace.
   */
  async answer(entry: InboxEntry, answer: InteractionAnswer, origin: Origin): Promise<AnswerReport> {
    const { store, chance } = this.#ports;
    const { sessionId, interaction } = entry;
    const before = await this.#refusal(entry, answer, origin);
    if (before !== null) return before;
    const posted: PostedAnswer = { answerId: chance.id(), interactionId: interaction.id, answer, origin };
    await store.postAnswer(sessionId, posted);
    const report = await this.#untilDecided(entry, posted);
    if (report !== null) return report;
    await store.removeAnswer(sessionId, posted.answerId);
    // It may have been taken in the last moment.
    const settled = await this.#settled(entry);
    if (settled !== undefined) return reportOf(settled, posted.answerId, entry.owner);
    const owner = await ownerOf(store, sessionId);
    const who = owner === null ? "another process" : `process ${owner.processId} (${owner.frontend})`;
    return {
      type: "refused",
      code: "session.busy",
      text: `${who} has the session and takes no answers; yours was withdrawn`,
    };
  }

  /** Reports what waits now, and then everything that is asked or settled, until `signal` aborts. */
  async watch(signal: AbortSignal, notify: (event: InboxEvent) => void): Promise<void> {
    let known = new Map<string, InboxEntry>();
    while (!signal.aborted) {
      const now = new Map((await this.list()).map((entry) => [entry.interaction.id, entry]));
      for (const entry of known.values())
        if (!now.has(entry.interaction.id))
          notify({ type: "settled", entry, settled: (await this.#settled(entry)) ?? null });
      for (const entry of now.values()) if (!known.has(entry.interaction.id)) notify({ type: "opened", entry });
      known = now;
      await sleep(watchIntervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** What is answered to an answer that comes too late. */
  refusalOf(settled: Settled): {
    readonly code: "interaction.expired" | "interaction.settled";
    readonly reason: string;
  } {
    const { code, text } = settledRefusal(settled);
    return { code, reason: text };
  }

  /** Number of a session's last record. */
  async lastNumber(id: SessionId): Promise<number> {
    return (await this.#ports.store.readBefore(id, null, 1)).at(-1)?.seq ?? 0;
  }

  close(): Promise<void> {
    return this.#ports.store.close();
  }

  async #untilDecided(entry: InboxEntry, posted: PostedAnswer): Promise<AnswerReport | null> {
    const { store } = this.#ports;
    const { sessionId } = entry;
    for (let look = 0; look < maxLooks; look += 1) {
      // In this order: an answer is removed only when the journal says what became of it.
      const isWaiting = (await store.postedAnswers(sessionId)).some(({ answerId }) => answerId === posted.answerId);
      const settled = await this.#settled(entry);
      if (settled !== undefined) {
        await store.removeAnswer(sessionId, posted.answerId);
        return reportOf(settled, posted.answerId, await ownerOf(store, sessionId));
      }
      if (!isWaiting) return (await this.#refusal(entry, posted.answer, posted.origin)) ?? turnedDown;
      if (!(await decidePosted(this.#ports, sessionId, posted.origin))) await sleep(lookIntervalMs);
    }
    return null;
  }

  /** Why an answer would change nothing, as things are; `null`: it would count. */
  async #refusal(entry: InboxEntry, answer: InteractionAnswer, origin: Origin): Promise<AnswerReport | null> {
    const settled = await this.#settled(entry);
    if (settled !== undefined) return reportOf(settled, undefined, entry.owner);
    const problem = answerProblem(entry.interaction, answer, origin, this.#ports.clock.now());
    return problem === null ? null : { type: "refused", ...problem };
  }

  async #settled({ sessionId, interaction }: InboxEntry): Promise<Settled | undefined> {
    return settledIn(await this.#ports.store.read(sessionId, 0), interaction.id);
  }
}

const turnedDown: AnswerReport = {
  type: "refused",
  code: "interaction.stale",
  text: "the process that has the session did not take this answer: what is asked has changed",
};

/** @param answerId  of the answer this is about; `undefined`: none was given yet */
function reportOf(settled: Settled, answerId: string | undefined, continuedBy: InboxEntry["owner"]): AnswerReport {
  if (answerId !== undefined && settled.answerId === answerId) return { type: "accepted", continuedBy };
  return { type: "refused", ...settledRefusal(settled) };
}

/** What to say to somebody who answers something that is settled. */
export function settledRefusal({ answer, origin, at }: Settled): {
  readonly code: "interaction.expired" | "interaction.settled";
  readonly text: string;
} {
  const when = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  switch (answer.type) {
    case "expired":
      return { code: "interaction.expired", text: `its time was up at ${when}; it counts as denied` };
    case "void":
      return {
        code: "interaction.settled",
        text: `it was withdrawn at ${when}, because its turn ended or nobody could be asked`,
      };
    default: {
      const who = origin.user === undefined ? origin.frontend : `${origin.user}, ${origin.frontend}`;
      return { code: "interaction.settled", text: `it was answered before: ${answer.type} (${who}, ${when})` };
    }
  }
}
