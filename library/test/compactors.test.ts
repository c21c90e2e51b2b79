import { inTurn } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { Compactor, CompactorSource } from "../src/index.ts";
import { newPlace, rehearse } from "./library-place.ts";

const long = "Here is a long story. ".repeat(300);
const answers = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ text: `${at}: ${long}` }));
const small = {
  'models."anthropic/rehearsal".context_window': 16_000,
  'models."anthropic/rehearsal".max_output_tokens': 2000,
};

function noting(): { readonly compactor: Compactor; readonly asked: CompactorSource[] } {
  const asked: CompactorSource[] = [];
  const compactor: Compactor = {
    summarize: (source) => {
      asked.push(source);
      return Promise.resolve("There were stories.");
    },
  };
  return { compactor, asked };
}

test.each(inTurn(["an option", "a plugin"], "compactors"))(
  "a compactor that %s registers makes room when it is chosen, and no model is asked",
  async (by) => {
    const { compactor, asked } = noting();
    const model = await rehearse(answers(8));
    const engine = newPlace().engine(model, {
      set: { ...small, "context.compactor": "stories" },
      ...(by === "an option"
        ? { compactors: { stories: compactor } }
        : {
            plugins: [
              { name: "p", version: "1", initialize: (context) => context.registerCompactor("stories", compactor) },
            ],
          }),
    });
    const session = await engine.open();
    for (let turn = 0; turn < 8; turn += 1)
      expect(await session.send("Tell me a story.").result()).toMatchObject({ outcome: "done" });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]).toMatchObject({ agentId: "main", maxTokens: expect.any(Number) });
    expect(JSON.stringify(asked[0]?.messages)).toContain("Tell me a story.");
    const last = JSON.stringify(model.exchanges.at(-1)?.body);
    expect(last).toContain("There were stories.");
    // Eight answers, and not one more for a summary.
    expect(model.exchanges).toHaveLength(8);
  },
);

test("a compactor that is down costs no turn: rules make room after its last attempt", async () => {
  const model = await rehearse(answers(8));
  const engine = newPlace().engine(model, {
    set: { ...small, "context.compactor": "stories", "retry.max_attempts": 1 },
    compactors: { stories: { summarize: () => Promise.reject(new Error("down")) } },
  });
  const session = await engine.open();
  for (let turn = 0; turn < 8; turn += 1)
    expect(await session.send("Tell me a story.").result()).toMatchObject({ outcome: "done" });
  expect(JSON.stringify(model.exchanges.at(-1)?.body)).toContain("no model summarised them");
});

test("a compactor that there is not is an error that names those that there are", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "never" }]), { set: { "context.compactor": "distil" } });
  await expect(engine.open()).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("did you mean distill?"),
  });
});
