import type { ModelProvider } from "@capstan/ports";
import {
  type ModelFinish,
  type ModelRequest,
  type ModelStreamPart,
  ProviderError,
  type ProviderFailure,
  unreachable,
} from "@capstan/protocol";

/** How one model call goes. `pieces` arrive first, each as a batch of its own. */
export type ScriptedCall = { readonly pieces?: readonly (readonly ModelStreamPart[])[] } & (
  | { readonly type: "answer"; readonly finish: ModelFinish }
  | { readonly type: "fail"; readonly failure: ProviderFailure }
  /** The stream ends without a finish. */
  | { readonly type: "cut" }
  /** Nothing more comes until the call is aborted. */
  | { readonly type: "hang" }
);

export interface ScriptedProvider extends ModelProvider {
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Calls that hang at this moment. */
  readonly hanging: number;
}

/** A model that plays a script, one entry per call. A call beyond the script fails for good and says so. */
export function scriptedProvider(script: readonly ScriptedCall[]): ScriptedProvider {
  const requests: ModelRequest[] = [];
  let hanging = 0;
  async function* stream(
    request: ModelRequest,
    _model: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ModelStreamPart[]> {
    const call = script[requests.length] ?? beyond(requests.length);
    requests.push(request);
    for (const piece of call.pieces ?? []) {
      signal.throwIfAborted();
      yield piece;
    }
    switch (call.type) {
      case "answer":
        yield [call.finish];
        return;
      case "fail":
        throw new ProviderError(call.failure);
      case "cut":
        return;
      case "hang":
        hanging += 1;
        try {
          await aborted(signal);
        } finally {
          hanging -= 1;
        }
        return;
      default:
        unreachable(call);
    }
  }
  return {
    wire: "scripted",
    requests,
    get hanging() {
      return hanging;
    },
    stream,
    close: () => undefined,
  };
}

/** An answer whose text arrives piece by piece before it is whole. */
export function spoken(pieces: readonly string[], finish: ModelFinish): ScriptedCall {
  return { type: "answer", pieces: pieces.map((delta) => [{ type: "text-delta", delta }]), finish };
}

/** Rejects with the signal's reason once it aborts; never resolves. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of whoever aborts
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function beyond(count: number): ScriptedCall {
  const message = `the script has no answer for model call ${count + 1}`;
  return { type: "fail", failure: { code: "provider.protocol", provider: "scripted", message, retryable: false } };
}
