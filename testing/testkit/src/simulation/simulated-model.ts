import type { ModelProvider } from "@capstan/ports";
import {
  type AssistantBlock,
  type ModelFinish,
  type ModelStreamPart,
  ProviderError,
  type ToolCallBlock,
} from "@capstan/protocol";
import { call, message, testUsage } from "../builders/calls.ts";
import type { Gates } from "./gates.ts";
import { mostCalls } from "./limits.ts";
import type { SimulatedWorld } from "./simulated-world.ts";
import { afterPiece, callBeginnings } from "./weights.ts";

const words = ["yes ", "well, ", "I see. ", "Grüße 😀 ", "\n"];
const tools = ["look", "look", "change", "act", "act", "act", "ask", "note", "present", "no_such_tool"];

/** A model that answers as chance has it: thinking, text, calls side by side, failures, silence. */
export function simulatedModel(world: SimulatedWorld, gates: Gates): ModelProvider {
  const { random } = world;
  return {
    wire: "simulated",
    async *stream(_request, _model, signal): AsyncGenerator<readonly ModelStreamPart[]> {
      await gates.passOr("model", signal);
      const beginning = world.calm ? "answers" : random.weighted(callBeginnings);
      if (beginning !== "answers") throw new ProviderError(failure(beginning === "overloaded"));
      const { parts, finish } = answer(world);
      for (const part of parts) {
        yield [part];
        await gates.passOr("model", signal);
        const next = world.calm ? "more" : random.weighted(afterPiece);
        if (next === "breaks") throw new ProviderError(failure(true));
        // The stream ends without its end mark.
        if (next === "ends") return;
        if (next === "silence") await silence(signal);
      }
      yield [finish];
    },
    close: () => undefined,
  };
}

function failure(retryable: boolean): ProviderError["failure"] {
  return { code: "provider.http", provider: "test", message: retryable ? "overloaded" : "bad request", retryable };
}

/** Nothing more comes until somebody has enough of it. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of whoever aborts
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

interface Answer {
  readonly parts: readonly ModelStreamPart[];
  readonly finish: ModelFinish;
}

function answer(world: SimulatedWorld): Answer {
  const { random } = world;
  const thinking = random.happens(0.3) ? texts(world) : [];
  const spoken = random.happens(0.8) || world.calm ? texts(world) : [];
  const calls = callsOf(world);
  const content: readonly AssistantBlock[] = [
    ...(thinking.length === 0 ? [] : [{ type: "thinking", text: thinking.join(""), signature: "signed" } as const]),
    ...(spoken.length === 0 ? [] : [{ type: "text", text: spoken.join("") } as const]),
    ...calls,
  ];
  const parts: readonly ModelStreamPart[] = [
    ...thinking.map((delta) => ({ type: "thinking-delta", delta }) as const),
    ...spoken.map((delta) => ({ type: "text-delta", delta }) as const),
    ...calls.map(({ name }, index) => ({ type: "tool-arguments-delta", index, name, delta: "{}" }) as const),
  ];
  const reason = calls.length > 0 ? "tool-calls" : "stop";
  return { parts, finish: { type: "finish", message: message(...content), reason, usage: testUsage } };
}

function texts({ random }: SimulatedWorld): readonly string[] {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(words));
}

/** Up to four calls side by side, each with arguments of its own. */
function callsOf(world: SimulatedWorld): readonly ToolCallBlock[] {
  const { random } = world;
  if (world.calm || random.happens(0.3)) return [];
  const room = Math.max(0, mostCalls - world.calls);
  return Array.from({ length: Math.min(room, 1 + random.below(4)) }, () => {
    world.calls += 1;
    const id = world.name("call");
    return call(id, random.pick(tools), { path: `${id}.txt` });
  });
}
