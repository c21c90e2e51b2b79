import type { Clock, Middleware, TurnAway, Visitor } from "@capstan/ports";
import {
  AppError,
  type ClientIdentity,
  type DoorCode,
  lesserRole,
  type Receipt,
  type Submission,
} from "@capstan/protocol";
import { middlewareLimitMs } from "../limits.ts";

type Refused = Extract<Receipt, { readonly type: "refused" }> & { readonly code: DoorCode };

interface ChainParts {
  readonly clock: Pick<Clock, "after">;
  /** Receives what a middleware throws. */
  report(error: unknown): void;
}

/** The middleware of a program, one after the other in the order in which they are given; the first that refuses ends it. */
export class MiddlewareChain {
  readonly #all: readonly Middleware[];
  readonly #parts: ChainParts;

  constructor(all: readonly Middleware[], parts: ChainParts) {
    this.#all = all;
    this.#parts = parts;
  }

  /** @returns the client as it comes in, with its own role or a lesser one. @throws AppError `door.*` */
  async enter({ identity, sessionId }: Visitor): Promise<ClientIdentity> {
    let entered = identity;
    for (const middleware of this.#all) {
      // oxlint-disable-next-line no-await-in-loop -- each sees what those before it left of the role
      const answer = await this.#ask(middleware, () => middleware.enter?.({ identity: entered, sessionId }));
      if (answer?.type === "refuse") throw errorOf(refusalOf(answer));
      if (answer?.type === "lower") entered = { ...entered, role: lesserRole(entered.role, answer.role) };
    }
    return entered;
  }

  /** @returns why the submission does not come in; `null`: it does */
  async submit(submission: Submission, visitor: Visitor): Promise<Refused | null> {
    for (const middleware of this.#all) {
      // oxlint-disable-next-line no-await-in-loop -- what the first refuses, the next is not asked about
      const answer = await this.#ask(middleware, () => middleware.submit?.(submission, visitor));
      if (answer !== undefined) return refusalOf(answer);
    }
    return null;
  }

  /** What fails or hangs refuses: a check that could not be made was not passed. */
  async #ask<Answer>(middleware: Middleware, ask: () => Answer | Promise<Answer>): Promise<Answer | TurnAway> {
    const late = this.#timeOut(middleware);
    try {
      return await Promise.race([Promise.resolve().then(ask), late.answer]);
    } catch (error) {
      this.#parts.report(error);
      return failed(middleware, "failed");
    } finally {
      late.stop();
    }
  }

  #timeOut(middleware: Middleware): { readonly answer: Promise<TurnAway>; readonly stop: () => void } {
    const { clock } = this.#parts;
    const stops: (() => void)[] = [];
    const answer = new Promise<TurnAway>((resolve) => {
      stops.push(clock.after(middlewareLimitMs, () => resolve(failed(middleware, "gave no answer in time"))));
    });
    return { answer, stop: () => stops.forEach((stop) => stop()) };
  }
}

function failed({ name }: Middleware, how: string): TurnAway {
  return { type: "refuse", reason: `the middleware ${name} ${how}` };
}

function refusalOf({ code = "door.middleware", reason, hint }: TurnAway): Refused {
  return { type: "refused", code, reason, ...(hint === undefined ? {} : { hint }) };
}

function errorOf({ code, reason, hint }: Refused): AppError {
  return new AppError(code, reason, hint === undefined ? {} : { hint });
}
