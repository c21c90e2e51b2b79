/** What an engine may be asked when, and what it has: states, capabilities. */
import { expect, test } from "vitest";
import type { Engine, EnginePlugin } from "../src/index.ts";
import { deferred, newPlace, rehearse } from "./library-place.ts";

test("an engine says where it is in its life; it is opened once for all who ask, and again after a failure", async () => {
  const begun: string[] = [];
  let isBroken = true;
  const plugin: EnginePlugin = {
    name: "counter",
    version: "1",
    initialize: () => {
      begun.push(engine.state);
      if (isBroken) throw new Error("not yet");
    },
  };
  const engine: Engine = newPlace().engine(await rehearse([{ text: "one" }]), { plugins: [plugin] });
  expect(engine.state).toBe("new");
  await expect(engine.initialize()).rejects.toThrow("not yet");
  expect(engine.state).toBe("new");
  isBroken = false;
  const [report, again] = await Promise.all([engine.initialize(), engine.initialize(), engine.getTools()]);
  expect(again).toBe(report);
  expect([engine.state, ...begun]).toEqual(["ready", "initializing", "initializing"]);
  const ending = engine.shutdown();
  expect(engine.state).toBe("shutting-down");
  await ending;
  expect(engine.state).toBe("shut-down");
});

test("a shutdown while the engine is being opened waits for it, and closes what was opened", async () => {
  const asked = deferred<undefined>();
  const go = deferred<undefined>();
  const gone: string[] = [];
  const plugin: EnginePlugin = {
    name: "slow",
    version: "1",
    initialize: async () => {
      asked.resolve(undefined);
      await go.promise;
    },
    destroy: () => void gone.push("slow"),
  };
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]), { plugins: [plugin] });
  const opened = engine.open();
  opened.catch(() => undefined);
  await asked.promise;
  const ending = engine.shutdown();
  go.resolve(undefined);
  await ending;
  await expect(opened).rejects.toThrow(/was shut down/);
  expect([engine.state, ...gone]).toEqual(["shut-down", "slow"]);
});

test("whatever is asked of an engine that was shut down is refused in the same words", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]));
  await engine.shutdown();
  const asked: readonly (() => Promise<unknown>)[] = [
    () => engine.initialize(),
    () => engine.open(),
    () => engine.client(),
    () => engine.run("words").result(),
    () => engine.getTools(),
    () => engine.getConfig("app.model"),
    () => engine.setConfig("app.model", "anthropic/other"),
    () => engine.getMode(),
    () => engine.setMode("plan"),
    () => engine.getPluginStatus(),
    () => engine.getService("any"),
  ];
  for (const ask of asked)
    await expect(ask()).rejects.toMatchObject({ code: "usage.invalid", message: "the engine was shut down" });
});

test("an engine without the built-in plugins has the tools alone, says so, and does not start where one is required", async () => {
  const place = newPlace();
  const model = await rehearse([{ text: "Nobody asks." }]);
  const whole = place.engine(model, { requires: ["agents", "skills"] });
  const bare = place.engine(model, { disableBuiltInPlugins: true });
  const left = new Set(await namesOf(bare));
  expect((await namesOf(whole)).filter((name) => !left.has(name))).toEqual(["spawn_agent"]);
  expect(left).toContain("read_file");
  expect((await whole.initialize()).capabilities).toEqual(["agents", "mcp-servers", "plugins", "skills"]);
  expect(await bare.initialize()).toMatchObject({
    capabilities: [],
    warnings: ["skills are switched off: the model is offered none"],
  });
  const without = place.engine(model, { disableBuiltInPlugins: ["agents"], requires: ["agents", "skills"] });
  await expect(without.initialize()).rejects.toThrow("the engine requires agents, and has not: switched off");
  const configured = place.engine(model, { set: { "plugins.enabled": false }, requires: ["plugins"] });
  await expect(configured.initialize()).rejects.toThrow(/requires plugins/);
});

test("a system prompt of the program stands in place of Capstan's own, or behind it", async () => {
  const place = newPlace();
  const model = await rehearse([{ text: "one" }]);
  const promptOf = async (systemPrompt: string | { readonly append: string }): Promise<string | undefined> => {
    const session = await place.engine(model, { systemPrompt }).open();
    return (await session.client.snapshot()).config?.systemPrompt;
  };
  expect(await promptOf("Only this.")).toBe("Only this.");
  expect(await promptOf({ append: "And this." })).toMatch(/.{100}\n+And this\.$/s);
});

async function namesOf(engine: Engine): Promise<readonly string[]> {
  return (await engine.getTools()).map(({ name }) => name);
}
