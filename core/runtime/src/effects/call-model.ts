import type { Stimulus } from "@capstan/engine";
import {
  AppError,
  messageOf,
  type ModelFinish,
  type ModelSettings,
  type ModelStreamPart,
  ProviderError,
  type ProviderFailure,
} from "@capstan/protocol";
import type { Effect } from "@capstan/engine";
import { DeltaWindow } from "../delta-window.ts";
import type { RuntimePorts } from "../runtime-ports.ts";

type CallModel = Extract<Effect, { type: "call-model" }>;

/** Makes one model call and turns what comes back into stimuli. Ends silently when `signal` aborts: that was decided already. */
export async function callModel(
  effect: CallModel,
  model: ModelSettings,
  ports: RuntimePorts,
  run: { readonly signal: AbortSignal; submit(stimulus: Stimulus): Promise<void> },
): Promise<void> {
  const { stepId, attempt, request } = effect;
  const window = new DeltaWindow<ModelStreamPart>(ports.clock, sizeOf, (parts) =>
    run.submit({ type: "model-parts", stepId, attempt, parts: joined(parts) }),
  );
  let outcome: StreamEnd | { readonly failure: ProviderFailure };
  try {
    const provider = await ports.provider(model);
    const end = await readStream(provider.stream(request, model, run.signal), window);
    outcome = end ?? { failure: unfinished(model) };
  } catch (error) {
    outcome = { failure: failureOf(error, model, ports) };
  }
  if (run.signal.aborted) return window.discard();
  if ("finish" in outcome) {
    const parts = joined([...(await window.take()), ...outcome.lastParts]);
    return run.submit({ type: "model-finished", stepId, attempt, finish: outcome.finish, parts });
  }
  await window.flush();
  const chance = ports.chance.fraction();
  return run.submit({ type: "model-failed", stepId, attempt, failure: outcome.failure, chance });
}

interface StreamEnd {
  readonly finish: ModelFinish;
  /** What came in the same piece of network input. */
  readonly lastParts: readonly ModelStreamPart[];
}

async function readStream(
  stream: AsyncIterable<readonly ModelStreamPart[]>,
  window: DeltaWindow<ModelStreamPart>,
): Promise<StreamEnd | undefined> {
  let end: StreamEnd | undefined;
  for await (const parts of stream) {
    const last = parts.at(-1);
    if (last?.type === "finish") {
      end = { finish: last, lastParts: parts.slice(0, -1) };
      continue;
    }
    const wait = parts.every((part) => part.type === "tool-arguments-delta") ? window.hold(parts) : window.add(parts);
    if (wait !== undefined) await wait;
  }
  return end;
}

/** Neighbouring pieces of one kind become one: fewer records say the same. */
function joined(parts: readonly ModelStreamPart[]): readonly ModelStreamPart[] {
  const whole: ModelStreamPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.type === "text-delta" && part.type === "text-delta")
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else if (last?.type === "thinking-delta" && part.type === "thinking-delta")
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else if (last?.type === "tool-arguments-delta" && part.type === "tool-arguments-delta" && last.index === part.index)
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else whole.push(part);
  }
  return whole;
}

function sizeOf(part: ModelStreamPart): number {
  return part.type === "text-delta" || part.type === "thinking-delta" || part.type === "tool-arguments-delta"
    ? part.delta.length
    : 1;
}

function failureOf(error: unknown, model: ModelSettings, ports: RuntimePorts): ProviderFailure {
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
