import type { Stimulus } from "@capstan/engine";
import {
  AppError,
  messageOf,
  type ModelFinish,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  ProviderError,
  type ProviderFailure,
  type RateLimit,
} from "@capstan/protocol";
import type { Effect } from "@capstan/engine";
import { DeltaWindow } from "../delta-window.ts";
import type { DecisionPorts, ModelPorts } from "../runtime-ports.ts";
import { CallLimit } from "./call-limit.ts";
import { plausibleUsage } from "./plausible-usage.ts";
import { RedactedParts } from "./redacted-parts.ts";

type CallModel = Extract<Effect, { type: "call-model" }>;

/** What a model call needs of its session. */
interface ModelCall {
  readonly effect: CallModel;
  readonly ports: DecisionPorts & ModelPorts;
  readonly signal: AbortSignal;
  submit(stimulus: Stimulus): Promise<void>;
}

/** Makes one model call and turns what comes back into stimuli. Ends silently when `signal` aborts: that was decided already. */
export async function callModel(call: ModelCall): Promise<void> {
  const { effect, ports, signal } = call;
  const { stepId, attempt, model } = effect;
  const redacted = new RedactedParts(ports.redact);
  const show = async (parts: readonly ModelStreamPart[]): Promise<void> => {
    if (parts.length > 0) await call.submit({ type: "model-parts", stepId, attempt, parts });
  };
  const window = new DeltaWindow<ModelStreamPart>(ports.clock, sizeOf, (parts) => show(redacted.push(parts)));
  const outcome = await answerOf(call, window);
  if (signal.aborted) {
    ports.health.stopped(model);
    return window.discard();
  }
  if ("finish" in outcome) {
    const { usage, notice } = plausibleUsage(outcome.finish.usage, model.provider);
    const reported = [...notices("info", ports.health.succeeded(model)), ...usageNotice(notice)];
    const parts = redacted.push([...(await window.take()), ...outcome.lastParts, ...reported]);
    const rest = redacted.end();
    const finish = { ...outcome.finish, usage, message: redacted.message(outcome.finish.message) };
    return call.submit({ type: "model-finished", stepId, attempt, finish, parts: [...parts, ...rest] });
  }
  void window.hold(notices("warning", ports.health.failed(model, outcome.failure)));
  await window.flush();
  await show(redacted.end());
  const chance = ports.chance.fraction();
  return call.submit({ type: "model-failed", stepId, attempt, failure: outcome.failure, chance });
}

interface StreamEnd {
  readonly finish: ModelFinish;
  /** What came in the same piece of network input. */
  readonly lastParts: readonly ModelStreamPart[];
}

async function answerOf(
  call: ModelCall,
  window: DeltaWindow<ModelStreamPart>,
): Promise<StreamEnd | { readonly failure: ProviderFailure }> {
  const { effect, ports, signal } = call;
  const { model, request } = effect;
  try {
    const refusal = await admission(call, window);
    if (refusal !== undefined) return { failure: refusal };
    const provider = await ports.provider(model);
    const callLimitMs = Math.min(ports.callLimitMs, effect.limitMs ?? Infinity);
    const limit = new CallLimit({ clock: ports.clock, callLimitMs }, model, signal);
    try {
      const stream = provider.stream({ ...request, stepId: effect.stepId }, model, limit.signal);
      const end = await readStream(stream, window, (limits) => ports.health.limits(model, limits));
      return end ?? { failure: unfinished(model) };
    } finally {
      limit.end();
    }
  } catch (error) {
    return { failure: failureOf(error, model, ports) };
  }
}

/** Waits where the vendor's limits say so. Returns the failure of a call that must not be made now. */
async function admission(
  { effect, ports, signal }: ModelCall,
  window: DeltaWindow<ModelStreamPart>,
): Promise<ProviderFailure | undefined> {
  const admitted = ports.health.admit(effect.model, () => tokensOf(effect.request));
  if (admitted.type === "refused") return admitted.failure;
  if (admitted.type === "go") return undefined;
  const passed = pause(ports, admitted.delayMs, signal);
  await window.add([{ type: "notice", level: "info", code: "provider.rate-limit", text: admitted.text }]);
  await passed;
  signal.throwIfAborted();
  return undefined;
}

/** Resolves after the delay, or when the signal aborts. */
function pause({ clock }: DecisionPorts, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** About how many tokens a request has: four characters each is close enough to wait by. */
function tokensOf(request: ModelRequest): number {
  return JSON.stringify(request).length / 4;
}

function notices(level: "info" | "warning", text: string | undefined): readonly ModelStreamPart[] {
  return text === undefined ? [] : [{ type: "notice", level, code: "provider.health", text }];
}

function usageNotice(text: string | undefined): readonly ModelStreamPart[] {
  return text === undefined ? [] : [{ type: "notice", level: "warning", code: "provider.usage", text }];
}

async function readStream(
  stream: AsyncIterable<readonly ModelStreamPart[]>,
  window: DeltaWindow<ModelStreamPart>,
  onLimits: (limits: readonly RateLimit[]) => void,
): Promise<StreamEnd | undefined> {
  let end: StreamEnd | undefined;
  for await (const batch of stream) {
    const parts = batch[0]?.type === "rate-limits" ? batch.slice(1) : batch;
    // What the vendor says of its limits is for the next call, not for the journal.
    if (batch[0]?.type === "rate-limits") onLimits(batch[0].limits);
    const last = parts.at(-1);
    if (last === undefined) continue;
    if (last.type === "finish") {
      end = { finish: last, lastParts: parts.slice(0, -1) };
      continue;
    }
    const wait = parts.every((part) => part.type === "tool-arguments-delta") ? window.hold(parts) : window.add(parts);
    if (wait !== undefined) await wait;
  }
  return end;
}

function sizeOf(part: ModelStreamPart): number {
  return part.type === "text-delta" || part.type === "thinking-delta" || part.type === "tool-arguments-delta"
    ? part.delta.length
    : 1;
}

function failureOf(error: unknown, model: ModelSettings, ports: DecisionPorts): ProviderFailure {
  if (error instanceof ProviderError) return { ...error.failure, message: ports.redact(error.failure.message) };
  const hint = error instanceof AppError ? error.hint : undefined;
  return {
    code: "provider.protocol",
    provider: model.provider,
    message: ports.redact(messageOf(error)),
    retryable: false,
    ...(hint === undefined ? {} : { hint }),
  };
}

function unfinished(model: ModelSettings): ProviderFailure {
  return {
    code: "provider.stream",
    provider: model.provider,
    message: `${model.provider} ended the answer without saying that it was whole`,
    retryable: true,
  };
}
