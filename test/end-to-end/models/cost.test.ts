/** What model calls cost, through the real binary and every wire. */
import { sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { startVendors } from "./start-vendors.ts";

const place = usePlace();

test("cached tokens cost what cached tokens cost, on each wire, for the turn and for the session", async () => {
  // Of the million tokens read, a half was cached; those that wrote the cache are the vendor's that charges for it.
  const usage = { input: 1_000_000, cached: 500_000, output: 100_000 };
  const cases = [
    ["anthropic/claude-sonnet-5-5", { ...usage, cache_write: 100_000 }, 0.4 * 2 + 0.5 * 0.1 + 0.1 * 2.5 + 0.1 * 10],
    ["openai/gpt-5.2", usage, 0.5 * 1.75 + 0.5 * 0.175 + 0.1 * 14],
    ["openai-chat/gpt-5.2", usage, 0.5 * 1.75 + 0.5 * 0.175 + 0.1 * 14],
    // More than 200,000 tokens of prompt: the whole call costs more.
    ["google/gemini-2.5-pro", usage, 0.5 * 2.5 + 0.5 * 0.25 + 0.1 * 15],
  ] as const;
  for (const [model, turnUsage, expected] of sampled(cases, 2)) {
    const env = await startVendors(place, model.split("/")[1] ?? "", [{ text: "done", usage: turnUsage }]);
    const id = model.replace(/\W/g, "-");
    const run = await place.run(["run", "-m", model, "--session-id", id, "--output-format", "json", "go"], { env });
    const result: { readonly costUsd: number } = JSON.parse(run.stdout);
    expect([model, result.costUsd.toFixed(6)]).toEqual([model, expected.toFixed(6)]);
    const shown = await place.run(["sessions", "show", id]);
    const cost = `1 model call, 1000000 tokens in (500000 cached), 100000 out, $${expected.toFixed(4)}`;
    expect(shown.stdout).toContain(`— done · ${cost}`);
    expect(shown.lines.at(-1)).toBe(`The session: ${cost}`);
  }
});
