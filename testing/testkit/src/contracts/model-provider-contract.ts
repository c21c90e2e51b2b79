import type { ModelProvider } from "@capstan/ports";
import {
  type JsonObject,
  type ModelFinish,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  ProviderError,
} from "@capstan/protocol";
import { describe, expect, test } from "vitest";

/** What the server behind a provider does about every request. */
export type Performance =
  /** A whole answer. */
  | { readonly type: "answer"; readonly text: string; readonly calls?: readonly PerformedCall[] }
  /** The beginning of this text, then the connection is lost. */
  | { readonly type: "cut"; readonly text: string }
  /** The beginning of this text, then nothing, the connection stays. */
  | { readonly type: "silence"; readonly text: string }
  /** An error of the server in place of an answer, of the kind that passes. */
  | { readonly type: "overloaded" }
  /** Nobody listens there. */
  | { readonly type: "nobody" };

export interface PerformedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A provider made for one test, with the server it speaks to. */
export interface ProviderUnderTest {
  readonly provider: ModelProvider;
  /** The settings to ask it with. */
  readonly model: ModelSettings;
  /** What must never stand in an error; absent where the provider needs no key. */
  readonly key?: string;
  /** Frees the server; the contract closes the provider. */
  dispose(): Promise<void>;
}

type Make = (performance: Performance) => Promise<ProviderUnderTest>;

/**
 * What every `ModelProvider` promises. Call it at the top level of a test file.
 * @param name  of the implementation
 * @param make  called once per test
 */
export function modelProviderContract(name: string, make: Make): void {
  describe(`model provider contract: ${name}`, () => {
    answerPromises(make);
    failurePromises(make);
    stopPromises(make);
  });
}

const long = "A sentence with ünïcödé, 表 and 🙂 that fills some pieces. ".repeat(200);

function answerPromises(make: Make): void {
  test("an answer comes in batches of at least one part, and ends with exactly one finish", async () => {
    await using(make, { type: "answer", text: long }, async (under) => {
      const { batches, error } = await listen(under);
      expect([error, batches.every((batch) => batch.length > 0)]).toEqual([undefined, true]);
      const parts = batches.flat();
      expect(parts.flatMap((part, at) => (part.type === "finish" ? [parts.length - 1 - at] : []))).toEqual([0]);
    });
  });

  test("what was streamed is what the message says, and the message says who wrote it", async () => {
    const calls = [
      { name: "look", arguments: { path: "a.txt", lines: [1, 2] } },
      { name: "look", arguments: { path: 'b "c".txt' } },
      { name: "act", arguments: {} },
    ];
    await using(make, { type: "answer", text: long, calls }, async (under) => {
      const { batches } = await listen(under);
      const parts = batches.flat();
      const { message, reason, usage } = finishOf(parts);
      expect(message.origin).toEqual({
        provider: under.model.provider,
        model: under.model.id,
        wire: under.provider.wire,
      });
      expect(textOf(parts)).toBe(long);
      expect(message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("")).toBe(long);
      const made = message.content.flatMap((block) => (block.type === "tool-call" ? [block] : []));
      expect(made.map((call) => [call.name, call.arguments])).toEqual(
        calls.map((call) => [call.name, { type: "json", value: call.arguments }]),
      );
      expect(new Set(made.map((call) => call.callId)).size).toBe(calls.length);
      expect(argumentsIn(parts)).toEqual(calls.map((call) => call.arguments));
      expect(reason).toBe("tool-calls");
      expect(usage.cachedInputTokens + usage.cacheWriteTokens).toBeLessThanOrEqual(usage.inputTokens);
      expect(Object.values(usage).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    });
  });

  test("one provider answers several calls at once, and one after the other", async () => {
    await using(make, { type: "answer", text: "same" }, async (under) => {
      const together = await Promise.all([receive(under), receive(under), receive(under)]);
      const alone = await receive(under);
      expect([...together, alone].map(({ batches }) => textOf(batches.flat()))).toEqual(Array(4).fill("same"));
      under.provider.close();
    });
  });
}

function failurePromises(make: Make): void {
  test("an answer that breaks off never finishes: what was said is handed on, then it fails and may be tried again", async () => {
    await using(make, { type: "cut", text: long }, async (under) => {
      const { batches, error } = await listen(under);
      const parts = batches.flat();
      expect(parts.some((part) => part.type === "finish")).toBe(false);
      expect(long.startsWith(textOf(parts))).toBe(true);
      expect(failureIn(error)).toMatchObject({
        code: "provider.stream",
        provider: under.model.provider,
        retryable: true,
      });
    });
  });

  test("a server that is overloaded is an error that may pass, and nothing is tried again here", async () => {
    await using(make, { type: "overloaded" }, async (under) => {
      const { batches, error } = await listen(under);
      expect(batches.flat().filter((part) => part.type !== "rate-limits")).toEqual([]);
      expect(failureIn(error)).toMatchObject({ provider: under.model.provider, retryable: true });
    });
  });

  test("nobody there is an error that may pass", async () => {
    await using(make, { type: "nobody" }, async (under) => {
      const { batches, error } = await listen(under);
      expect(batches).toEqual([]);
      expect(failureIn(error)).toMatchObject({ code: "provider.network", retryable: true });
    });
  });

  test("no error holds the key or what was asked", async () => {
    for (const type of ["overloaded", "nobody"] as const) {
      await using(make, { type }, async (under) => {
        const { error } = await listen(under);
        const said = JSON.stringify(failureIn(error));
        expect(said).not.toContain(question);
        expect(under.key !== undefined && said.includes(under.key)).toBe(false);
      });
    }
  });
}

function stopPromises(make: Make): void {
  test("a call that is stopped throws the reason, wherever it was", async () => {
    await using(make, { type: "silence", text: long }, async (under) => {
      const reason = new Error("stopped by the test");
      const before = new AbortController();
      before.abort(reason);
      expect((await receive(under, before.signal)).error).toBe(reason);
      const within = new AbortController();
      const { error } = await receive(under, within.signal, () => within.abort(reason));
      expect(error).toBe(reason);
      under.provider.close();
    });
  });
}

const question = "an unlikely question";

const request: ModelRequest = {
  system: "You are being tested.",
  messages: [{ role: "user", content: [{ type: "text", text: question }] }],
  tools: ["look", "act"].map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } })),
  maxOutputTokens: 4096,
};

interface Received {
  readonly batches: readonly (readonly ModelStreamPart[])[];
  readonly error: unknown;
}

/** @param onText  called once, when the first text has come */
async function receive(
  { provider, model }: ProviderUnderTest,
  signal: AbortSignal = new AbortController().signal,
  onText: () => void = () => undefined,
): Promise<Received> {
  const batches: (readonly ModelStreamPart[])[] = [];
  let reported = false;
  try {
    for await (const batch of provider.stream(request, model, signal)) {
      batches.push(batch);
      if (!reported && batch.some((part) => part.type === "text-delta")) {
        reported = true;
        onText();
      }
    }
    return { batches, error: undefined };
  } catch (error) {
    return { batches, error };
  }
}

async function listen(under: ProviderUnderTest): Promise<Received> {
  const received = await receive(under);
  under.provider.close();
  return received;
}

async function using(
  make: Make,
  performance: Performance,
  run: (under: ProviderUnderTest) => Promise<void>,
): Promise<void> {
  const under = await make(performance);
  try {
    await run(under);
  } finally {
    await under.dispose();
  }
}

function finishOf(parts: readonly ModelStreamPart[]): ModelFinish {
  const last = parts.at(-1);
  if (last?.type !== "finish") throw new Error("the call did not finish");
  return last;
}

function failureIn(error: unknown): ProviderError["failure"] {
  if (!(error instanceof ProviderError)) throw new Error("not a ProviderError", { cause: error });
  return error.failure;
}

function textOf(parts: readonly ModelStreamPart[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}

/** The arguments of each call, as their pieces join. */
function argumentsIn(parts: readonly ModelStreamPart[]): readonly unknown[] {
  const texts: string[] = [];
  for (const part of parts) {
    if (part.type === "tool-arguments-delta") texts[part.index] = (texts[part.index] ?? "") + part.delta;
  }
  return texts.map((text): unknown => JSON.parse(text === "" ? "{}" : text));
}
