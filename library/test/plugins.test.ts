import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EnginePlugin, ExternalProvider } from "../src/index.ts";
import { bell, newPlace, rehearse, ringing } from "./library-place.ts";

test("plugins are initialized once, after those they depend on, add tools that run, and are destroyed, the last one first", async () => {
  const { tool, rung } = bell();
  const said: string[] = [];
  const says = (name: string, more: Partial<EnginePlugin> = {}): EnginePlugin => ({
    name,
    version: "1.0.0",
    beforeInitialize: () => void said.push(`${name} before`),
    initialize: () => void said.push(name),
    afterInitialize: () => void said.push(`${name} after`),
    destroy: () => void said.push(`${name} gone`),
    ...more,
  });
  const ringer = says("ringer", {
    dependencies: ["house"],
    initialize: (context) => {
      said.push(
        `${String(context.getService("door"))} ${JSON.stringify(context.getConfig("word"))} ${context.workspace.cwd}`,
      );
      context.registerTool(tool);
    },
  });
  const house = says("house", { initialize: (context) => context.registerService("door", "open") });
  const place = newPlace();
  const engine = place.engine(await rehearse(ringing), {
    plugins: [ringer, house],
    pluginConfig: { ringer: { word: "wide" } },
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  expect(await engine.getPluginStatus()).toMatchObject({
    enginePlugins: [{ name: "house", version: "1.0.0" }, { name: "ringer" }],
    tools: ["ring_bell"],
    services: ["door"],
  });
  expect(await engine.getService("door")).toBe("open");
  await engine.initialize();
  expect(await (await engine.open()).send("Ring twice.").result()).toMatchObject({ outcome: "done" });
  expect(rung).toEqual([2]);
  await engine.shutdown();
  await engine.shutdown();
  expect(said).toEqual([
    "house before",
    "house after",
    "ringer before",
    `open "wide" ${place.workspace}`,
    "ringer after",
    "ringer gone",
    "house gone",
  ]);
});

test("a tool of the program counts more than a plugin's of that name", async () => {
  const [own, others] = [bell(), bell()];
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [own.tool],
    plugins: [{ name: "ringer", version: "1", initialize: (context) => context.registerTool(others.tool) }],
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  await (await engine.open()).send("Ring twice.").result();
  expect({ own: own.rung, others: others.rung }).toEqual({ own: [2], others: [] });
  const { warnings } = await engine.initialize();
  expect(warnings).toEqual(["the tool ring_bell of a plugin is left out: the program has its own"]);
});

test.for([
  ["misses another", [{ name: "a", dependencies: ["b"] }], /plugin a: it depends on the plugin b, which is not there/],
  ["goes in a circle", [{ name: "a", dependencies: ["a"] }], /plugin a: it depends on itself: a → a/],
  ["is there twice", [{ name: "a" }, { name: "a" }], /plugin a: there are two plugins of that name/],
] as const)("an engine with a plugin that %s does not start, and says which", async ([, parts, problem]) => {
  const plugins = parts.map((part): EnginePlugin => ({ version: "1", initialize: () => undefined, ...part }));
  const engine = newPlace().engine(await rehearse(ringing), { plugins });
  await expect(engine.initialize()).rejects.toThrow(problem);
});

test("when a plugin fails, those before it are destroyed, and the next attempt begins again", async () => {
  const said: string[] = [];
  let attempts = 0;
  const first: EnginePlugin = {
    name: "first",
    version: "1",
    initialize: () => void said.push("here"),
    destroy: () => void said.push("gone"),
  };
  const second: EnginePlugin = {
    name: "second",
    version: "1",
    initialize: () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no luck");
    },
  };
  const engine = newPlace().engine(await rehearse(ringing), { plugins: [first, second] });
  await expect(engine.initialize()).rejects.toThrow(/plugin second: no luck/);
  await engine.initialize();
  expect(said).toEqual(["here", "gone", "here"]);
});

test("a plugin's context source is read with each turn, and listeners of events that throw keep no other from receiving", async () => {
  const reported: unknown[] = [];
  const received: unknown[] = [];
  const asked: string[] = [];
  const model = await rehearse([{ text: "one" }, { text: "two" }]);
  const plugin: EnginePlugin = {
    name: "weather",
    version: "1",
    engine: ">=0.1",
    initialize: (context) => {
      context.registerContextSource("sky", ({ words }) => {
        asked.push(words);
        return `The sky is ${asked.length === 1 ? "blue" : "grey"}.`;
      });
      const { events } = context;
      events.on("asked", () => {
        throw new Error("mine");
      });
      events.on("asked", (value) => received.push(value));
      events.emit("asked", 1);
    },
  };
  const engine = newPlace().engine(model, { plugins: [plugin], report: (error) => reported.push(error) });
  const session = await engine.open();
  for (const words of ["First.", "Second."]) await session.send(words).result();
  expect(asked).toEqual(["First.", "Second."]);
  const [first, second] = model.exchanges.map(({ body }) => JSON.stringify(body));
  expect([first?.includes("The sky is blue."), first?.includes("grey"), second?.includes("grey")]).toEqual([
    true,
    false,
    true,
  ]);
  expect([received, reported.map(String)]).toEqual([[1], ["Error: mine"]]);
});

test("a plugin brings a provider; the program's own of that name counts, which is said", async () => {
  const made: string[] = [];
  const provider = (by: string): ExternalProvider => ({
    wire: "made-up",
    create: () => {
      made.push(by);
      throw new Error(`${by} was asked`);
    },
  });
  const plugins: readonly EnginePlugin[] = [
    { name: "p", version: "1", initialize: (context) => context.registerProvider("house", provider("the plugin")) },
  ];
  const model = await rehearse([{ text: "Nobody asks." }]);
  const place = newPlace();
  const ofPlugin = place.engine(model, { plugins, model: "house/small", report: () => undefined });
  expect((await ofPlugin.initialize()).warnings).toEqual([]);
  await ofPlugin
    .run("go")
    .result()
    .catch(() => undefined);
  const ofProgram = place.engine(model, {
    plugins,
    model: "house/small",
    providers: { house: provider("the program") },
    report: () => undefined,
  });
  expect((await ofProgram.initialize()).warnings).toEqual([
    "the provider house of a plugin is left out: the program has its own",
  ]);
  await ofProgram
    .run("go")
    .result()
    .catch(() => undefined);
  expect([...new Set(made)]).toEqual(["the plugin", "the program"]);
});

test("a plugin for another version of Capstan keeps the engine from starting, and says why", async () => {
  const plugins: readonly EnginePlugin[] = [{ name: "late", version: "1", engine: ">=9", initialize: () => undefined }];
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]), { plugins });
  await expect(engine.initialize()).rejects.toThrow(/plugin late: it is for Capstan >=9, and this is/);
});

const pluginFile = (name: string, body: string): string =>
  `export default { name: "${name}", version: "1.2.3", initialize(context) { ${body} } };`;

test("the status names plugins of folders, too, and why one was left out, also after they were started again", async () => {
  const place = newPlace();
  const folder = join(place.home, "plugins");
  mkdirSync(folder, { recursive: true });
  const tool = `{ name: "count", description: "Counts.", inputSchema: { type: "object" }, effect: "read", execute: () => "1" }`;
  writeFileSync(join(folder, "counter.plugin.mjs"), pluginFile("counter", `context.registerTool(${tool});`));
  writeFileSync(join(folder, "broken.plugin.mjs"), pluginFile("broken", `throw new Error("no luck");`));
  const engine = place.engine(await rehearse([{ text: "Nobody asks." }]), {
    set: { "plugins.trusted": ["counter", "broken"] },
  });
  for (const mode of ["plan", "default"] as const) {
    const { enginePlugins, foundPlugins, leftOut } = await engine.getPluginStatus();
    expect(enginePlugins).toEqual([]);
    expect(leftOut).toEqual([expect.stringMatching(/broken.*no luck/)]);
    expect(foundPlugins).toMatchObject([
      { name: "counter", version: "1.2.3", from: "user", isTrusted: true, tools: ["count"] },
    ]);
    await engine.setMode(mode);
  }
  const without = place.engine(await rehearse([{ text: "Nobody asks." }]), { disableBuiltInPlugins: ["plugins"] });
  expect(await without.getPluginStatus()).toMatchObject({ foundPlugins: [], leftOut: [] });
});
