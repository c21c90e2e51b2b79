import type { Settings } from "../src/load-settings.ts";
import { asDriver } from "@capstan/testkit";
import { expect, test } from "vitest";
import { key, newPlace, rehearse, start, take } from "./host-place.ts";

const overloaded = { text: "never said", fault: { type: "http", status: 529, times: 99 } };

test("a turn whose vendor is overloaded is finished by the next model, and the journal says who answered", async () => {
  const { settings } = newPlace();
  const [first, second] = [await rehearse([overloaded]), await rehearse([{ text: "done by another" }])];
  const host = await start(
    await settings(
      {
        ANTHROPIC_BASE_URL: first.url,
        ANTHROPIC_API_KEY: key,
        OPENAI_BASE_URL: `${second.url}/v1`,
        OPENAI_API_KEY: key,
      },
      [
        "app.model=anthropic/claude-opus-4-5",
        'app.model_fallbacks=["openai/gpt-5.2"]',
        "retry.max_attempts=2",
        "retry.base_delay_ms=1",
      ],
    ),
  );
  const records = (await take(host, "hello")).map((event) => event.record);
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(records.filter((record) => record.type === "step-started").map((record) => record.model)).toEqual([
    "anthropic/claude-opus-4-5",
    "anthropic/claude-opus-4-5",
    "openai/gpt-5.2",
  ]);
  expect(records.find((record) => record.type === "notice")).toMatchObject({ code: "provider.fallback" });
  expect(records.find((record) => record.type === "step-completed")).toMatchObject({
    message: { origin: { provider: "openai", model: "gpt-5.2" } },
  });
  expect([first.exchanges.length, second.exchanges.length]).toEqual([2, 1]);
});

test("a model to turn to that cannot be asked is refused before a session begins", async () => {
  const { settings } = newPlace();
  const refused = async (fallback: string, sets: readonly string[] = []): Promise<unknown> =>
    begin(await settings({ ANTHROPIC_API_KEY: key }, [`app.model_fallbacks=["${fallback}"]`, ...sets])).then(
      () => "started",
      ({ code, message }: { readonly code: string; readonly message: string }) => `${code}: ${message}`,
    );
  expect(await refused("openai/gpt-5.2")).toBe("provider.auth: app.model_fallbacks: no key is set for openai");
  expect(await refused("nobody/x")).toBe('model.unknown: app.model_fallbacks: no provider is named "nobody"');
  expect(await refused("gpt-5.2")).toBe("provider.auth: app.model_fallbacks: no key is set for openai");
  expect(await refused("no-such-model")).toContain("model.unknown: app.model_fallbacks: ");
  expect(await refused("anthropic/nobody-knows", ["limits.max_cost_usd=1"])).toContain(
    "config.invalid: limits.max_cost",
  );
});

/** Opens a new session, and closes it. */
async function begin(settings: Settings): Promise<void> {
  const host = await start(settings);
  try {
    await (await host.client.open({ type: "new" }, asDriver)).close();
  } finally {
    await host.close();
  }
}
