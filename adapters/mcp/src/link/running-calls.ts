import type { ToolRunContext } from "@capstan/ports";
import type { SessionId, Spent } from "@capstan/protocol";
import { maxRunningCalls } from "../limits.ts";

/** A call of the model that a server is working on. */
export interface RunningCall {
  readonly sessionId: SessionId | null;
  readonly signal: AbortSignal;
  readonly ask: ToolRunContext["ask"];
  say(line: string): void;
  /** While its user is asked, the call's time stands still. */
  pause(): void;
  resume(): void;
  /** A model was asked on the server's behalf. */
  spend(spent: Spent): void;
}

/** The calls that a server is working on now: what it asks for, it asks for one of them. */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();

  /** @returns to be called at its end */
  begin(call: RunningCall): () => void {
    if (this.#calls.size >= maxRunningCalls) throw new Error(`${maxRunningCalls} calls are running there already`);
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }

  /** The one call there is; of several, nobody could say whose user is asked. */
  only(): RunningCall | undefined {
    const [first] = this.#calls;
    return this.#calls.size === 1 ? first : undefined;
  }

  say(line: string): void {
    for (const call of this.#calls) call.say(line);
  }
}
