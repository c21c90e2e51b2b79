import { type ModelSettings, ProviderError } from "@capstan/protocol";
import type { DecisionPorts, ModelPorts } from "../runtime-ports.ts";

/**
 * How long one model call may take. A vendor that sends a little now and then is never silent, and without this would hold a
 * turn forever.
 */
export class CallLimit {
  /** Aborts with the session's signal, or with a `ProviderError` once the time is over. */
  readonly signal: AbortSignal;
  readonly #cancel: () => void;

  constructor(
    { clock, callLimitMs }: Pick<DecisionPorts, "clock"> & Pick<ModelPorts, "callLimitMs">,
    { provider }: ModelSettings,
    session: AbortSignal,
  ) {
    const controller = new AbortController();
    const message = `${provider}: the answer was not whole after ${callLimitMs / 1000} s`;
    const late = new ProviderError({
      code: "provider.timeout",
      provider,
      message,
      retryable: true,
      hint: "`network.answer_timeout_seconds` sets how long one answer may take.",
    });
    this.signal = AbortSignal.any([session, controller.signal]);
    this.#cancel = clock.after(callLimitMs, () => controller.abort(late));
  }

  /** The call has ended. */
  end(): void {
    this.#cancel();
  }
}
