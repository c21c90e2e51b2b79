import type { HostPlace, UserReply } from "@capstan/ports";
import type { Question, ToolCallId } from "@capstan/protocol";
import { maxReachedHosts } from "../limits.ts";

/** A call wants to reach a place. */
interface WantedReach {
  readonly callId: ToolCallId;
  readonly place: HostPlace;
  /** @param host  as rules name it */
  readonly ask: (host: string, questions: readonly Question[]) => Promise<UserReply>;
}

/**
 * What the calls of one session may reach on the network besides what they were started with. A yes holds for the session, in this
 * process; a no for the call. Calls that want the same place at the same time wait for one answer.
 */
export class ReachedHosts {
  readonly #open = new Set<string>();
  readonly #refused = new Map<ToolCallId, Set<string>>();
  readonly #asked = new Map<string, { readonly callId: ToolCallId; readonly answer: Promise<boolean> }>();

  async ask(wanted: WantedReach): Promise<boolean> {
    const { callId, place } = wanted;
    const name = nameOf(place);
    for (let waiting = this.#asked.get(name); waiting !== undefined; waiting = this.#asked.get(name)) {
      const isOpen = await waiting.answer;
      if (isOpen || waiting.callId === callId) return isOpen;
    }
    if (this.#open.has(name)) return true;
    if (this.#refused.get(callId)?.has(name) === true) return false;
    const answer = this.#askNow(wanted, name);
    this.#asked.set(name, { callId, answer });
    try {
      return await answer;
    } finally {
      this.#asked.delete(name);
    }
  }

  /** The call has ended. */
  forget(callId: ToolCallId): void {
    this.#refused.delete(callId);
  }

  async #askNow({ callId, ask }: WantedReach, name: string): Promise<boolean> {
    const question = `It wants to reach ${name}, and the connection waits. May it?`;
    const reply = await ask(name, [{ question, options: [yes, no], multiple: false }]).catch(unanswered);
    const isYes = reply.type === "answered" && reply.answers[0]?.[0] === yes.label;
    if (isYes && this.#open.size < maxReachedHosts) this.#open.add(name);
    if (!isYes) this.#refused.set(callId, (this.#refused.get(callId) ?? new Set()).add(name));
    return isYes;
  }
}

const yes = { label: "Yes", description: "Commands of this session may reach it." };
const no = { label: "No", description: "The connection is refused." };

/** The call was cancelled while it waited. */
function unanswered(): UserReply {
  return { type: "unanswered" };
}

/** As rules and configuration name it: without a port it means the usual two. */
function nameOf({ host, port }: HostPlace): string {
  return port === 80 || port === 443 ? host : `${host}:${port}`;
}
