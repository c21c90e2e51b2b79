import { slowTest } from "@capstan/testkit";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PluginChoices } from "../src/index.ts";
import { callTool, namesOf, PluginPlace, pluginProcesses, pluginText, toolText } from "./support/plugin-place.ts";

test("a plugin's tool runs, twice, with its arguments, its configuration and the workspace; its progress is shown", async () => {
  const place = new PluginPlace();
  const body = toolText(
    "greet",
    "(call.report('on the way'), `${context.getConfig('word')} ${args.who} in ${call.workspace.cwd}`)",
  );
  place.write("plugins/greeter.plugin.js", pluginText("greeter", body));
  const { source, notices, reports } = await place.open({ settings: { greeter: { word: "Hello" } } });
  expect(notices).toEqual([]);
  expect(reports).toMatchObject([
    { id: "greeter", name: "greeter", version: "1.0.0", tools: ["greet"], isTrusted: false },
  ]);
  for (const who of ["Ann", "Bob"]) {
    const shown: string[] = [];
    expect(await callTool(source, "greet", { args: { who }, onReport: (text) => shown.push(text) })).toEqual({
      status: "ok",
      content: `Hello ${who} in /`,
    });
    expect(shown).toEqual(["on the way"]);
  }
  await source.close();
  expect(pluginProcesses()).toEqual([]);
});

test("a trusted plugin's files are where it can import them later, and gone when it ends, however it ends, each time", async () => {
  const place = new PluginPlace();
  const body = toolText("where", "import.meta.url") + toolText("leave", "process.exit(7)");
  place.write("plugins/kept.plugin.mjs", pluginText("kept", body));
  for (const last of ["where", "leave"]) {
    const { source } = await place.open({ trusted: ["kept"], isConfined: false });
    const file = fileURLToPath((await callTool(source, "where")).content);
    expect([last, existsSync(file)]).toEqual([last, true]);
    await callTool(source, last);
    await source.close();
    await expect.poll(() => existsSync(dirname(file))).toBe(false);
  }
});

test("plugins are initialized after those they depend on, and receive their services as data; before, initialize, after, destroy", async () => {
  const place = new PluginPlace();
  const stages = `beforeInitialize(context) { this.said = ["before"]; }, afterInitialize() { this.said.push("after"); }, destroy() { console.error("bye"); },`;
  place.write(
    "plugins/a.plugin.mjs",
    pluginText(
      "a",
      `this.said.push("now"); ${toolText("stages", "this.said.join() + ' ' + context.getService('numbers').two")}`,
      `dependencies: ["b"], ${stages}`,
    ),
  );
  place.write(
    "plugins/b.plugin.cjs",
    `module.exports = { name: "b", version: "2", initialize(context) { context.registerService("numbers", { two: 2 }); } };`,
  );
  const { source, reports, services } = await place.open();
  expect(reports.map(({ name }) => name)).toEqual(["b", "a"]);
  expect(services).toEqual({ numbers: { two: 2 } });
  expect(await callTool(source, "stages")).toMatchObject({ content: "before,now,after 2" });
});

test("what is missing, or goes in a circle, is named, and the others work", async () => {
  const place = new PluginPlace();
  place.write("plugins/a.plugin.js", pluginText("a", "", 'dependencies: ["b"],'));
  place.write("plugins/b.plugin.js", pluginText("b", "", 'dependencies: ["a"],'));
  place.write("plugins/c.plugin.js", pluginText("c", "", 'dependencies: ["nowhere"],'));
  place.write("plugins/d.plugin.js", pluginText("d", toolText("works", '"yes"'), 'engine: "^0.1.0",'));
  place.write("plugins/e.plugin.js", "this is no program");
  place.write("plugins/f.plugin.js", "export default { version: '1', initialize() {} };");
  place.write("plugins/g.plugin.js", pluginText("g", 'throw new Error("no luck")'));
  place.write("plugins/h.plugin.js", pluginText("d", ""));
  place.write("plugins/i.plugin.js", pluginText("i", "", 'engine: ">=9",'));
  place.write("plugins/j.plugin.js", pluginText("j", "", 'engine: "latest",'));
  place.write("plugins/k.plugin.yaml", 'engine: "^9.1"');
  const { source, notices } = await place.open();
  expect(namesOf(source)).toEqual(["works"]);
  const text = notices.map((notice) => notice.text).join("\n");
  for (const problem of [
    /plugin [ab] .*it depends on itself: (?:a → b → a|b → a → b)/,
    /plugin [ab] .*depends on the plugin [ab], which is left out/,
    /plugin c .*depends on the plugin nowhere, which is not there/,
    /plugin e .*Unexpected/,
    /plugin f .*name:/,
    /plugin g .*no luck/,
    /plugin h .*another plugin named d/,
    /plugin i .*it is for Capstan >=9, and this is 0\.1\.0/,
    /plugin j .*"latest" is no range/,
    /plugin k .*it is for Capstan \^9\.1/,
  ])
    expect(text).toMatch(problem);
});

test("however many plugins run, the end of Capstan is waited for once, so that Node warns of nothing", async () => {
  const place = new PluginPlace();
  for (const name of ["a", "b", "c"]) place.write(`plugins/${name}.plugin.js`, pluginText(name, ""));
  const before = process.listenerCount("exit");
  const { source, reports } = await place.open();
  expect(reports).toHaveLength(3);
  expect(process.listenerCount("exit")).toBe(before + 1);
  await source.close();
  expect(process.listenerCount("exit")).toBe(before);
  const again = await place.open();
  expect(process.listenerCount("exit")).toBe(before + 1);
  await again.source.close();
});

test("TypeScript is loaded as it is, enums, files beside it and packages of its folder included", async () => {
  const place = new PluginPlace();
  place.write(
    "plugins/typed/typed.plugin.ts",
    `
    import { double } from "./double.ts";
    import three from "three";
    enum Colour { Red = 7 }
    const plugin: { name: string } & Record<string, unknown> = {
      name: "typed", version: "1.0.0",
      async initialize(context: { registerTool(tool: unknown): void }): Promise<void> {
        const { sep } = await import("node:path");
        context.registerTool({ name: "count", description: "Counts", effect: "read", inputSchema: { type: "object" },
          execute: async () => String(double(Colour.Red) + three) + sep });
      },
    };
    export default plugin;`,
  );
  place.write("plugins/typed/double.ts", "export const double = (value: number): number => value * 2;");
  place.write("plugins/typed/node_modules/three/package.json", '{ "name": "three", "main": "index.js" }');
  place.write("plugins/typed/node_modules/three/index.js", "module.exports = 3;");
  const { source, notices } = await place.open();
  expect(notices).toEqual([]);
  expect(await callTool(source, "count")).toMatchObject({ content: "17/" });
});

slowTest("a package that names its plugin is one, in a folder that the configuration names, too", async () => {
  const place = new PluginPlace();
  place.write("elsewhere/pack/package.json", '{ "type": "module", "capstan": { "plugin": "./dist/main.js" } }');
  place.write("elsewhere/pack/dist/main.js", pluginText("packed", toolText("packed", '"out of a package"')));
  const directories = [join(place.folder, "elsewhere/pack"), join(place.folder, "elsewhere")];
  for (const directory of directories) {
    const places = {
      home: place.folder,
      directories: [directory],
      trust: { trusted: false, approved: new Map<string, string>() },
    };
    const { source } = await place.open({ places });
    expect(await callTool(source, "packed")).toMatchObject({ content: "out of a package" });
  }
  mkdirSync(join(place.folder, "none"), { mode: 0o700 });
  const none = {
    home: place.folder,
    directories: [join(place.folder, "none")],
    trust: { trusted: false, approved: new Map<string, string>() },
  };
  expect((await place.open({ places: none })).notices).toMatchObject([
    { text: expect.stringContaining("has no plugin") },
  ]);
});

test("a plugin that others can change is left out, and so is one that is not what it was, until it is enabled again", async () => {
  const place = new PluginPlace();
  place.write("plugins/open.plugin.js", pluginText("open", ""), 0o666);
  place.write("plugins/mine.plugin.js", pluginText("mine", toolText("first", '"1"')));
  const first = await place.open();
  expect(namesOf(first.source)).toEqual(["first"]);
  expect(first.notices).toMatchObject([
    { text: expect.stringMatching(/plugin open .*others can change .*chmod go-w/) },
  ]);
  place.write("plugins/mine.plugin.js", pluginText("mine", toolText("second", '"2"')));
  const changed = await place.open();
  expect(namesOf(changed.source)).toEqual([]);
  expect(changed.notices.at(-1)?.text).toMatch(
    /mine\.plugin\.js \(changed\)\. To use it as it is now: capstan plugins enable mine/,
  );
  const choices = new PluginChoices(place.folder);
  choices.accept(await findMine(place));
  expect(namesOf((await place.open()).source)).toEqual(["second"]);
  choices.disable("mine");
  expect(namesOf((await place.open()).source)).toEqual([]);
});

async function findMine(place: PluginPlace) {
  const { findPlugins } = await import("../src/index.ts");
  const { plugins } = await findPlugins({
    home: place.folder,
    directories: [],
    trust: { trusted: false, approved: new Map() },
  });
  const found = plugins.find(({ id }) => id === "mine");
  if (found === undefined) throw new Error("it is gone");
  return found;
}

test("a plugin of a workspace counts only as it was trusted", async () => {
  const place = new PluginPlace();
  const { createHash } = await import("node:crypto");
  const text = pluginText("theirs", toolText("theirs", '"works"'));
  place.write("work/.capstan/plugins/theirs.plugin.js", text);
  const file = join(place.folder, "work/.capstan/plugins/theirs.plugin.js");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const places = (approved: ReadonlyMap<string, string>, trusted = true) => ({
    home: place.folder,
    directories: [join(place.folder, "missing")],
    trust: { trusted, approved },
  });
  const trusted = await place.open({ places: places(new Map([[file, sha256]])), trusted: ["theirs"] });
  expect(trusted.reports).toMatchObject([{ id: "theirs", from: "workspace", isTrusted: false }]);
  const other = await place.open({ places: places(new Map([[file, "0".repeat(64)]])) });
  expect(other.notices.map((notice) => notice.text).join()).toContain("is not as you trusted it");
  const untrusted = await place.open({ places: places(new Map([[file, sha256]]), false) });
  expect(namesOf(untrusted.source)).toEqual([]);
});

test("without a sandbox only plugins run that the user trusts, and what these say of their tools counts", async () => {
  const place = new PluginPlace();
  place.write("plugins/one.plugin.js", pluginText("one", toolText("one", '"1"')));
  place.write("plugins/two.plugin.js", pluginText("two", toolText("two", '"2"')));
  const { source, notices } = await place.open({ isConfined: false, trusted: ["two"] });
  expect(namesOf(source)).toEqual(["two"]);
  expect(source.tools()[0]?.effect).toBe("read");
  expect(notices).toMatchObject([
    { text: expect.stringMatching(/plugin one .*plugins run in the sandbox, and there is none/) },
  ]);
  const confined = await place.open();
  expect(confined.source.tools().map(({ effect }) => effect)).toEqual(["execute", "execute"]);
});

slowTest("the plugin of the examples counts words", async () => {
  const place = new PluginPlace();
  const example = join(import.meta.dirname, "../../examples/plugin");
  for (const file of ["package.json", "word-count.ts"])
    place.write(`plugins/word-count/${file}`, readFileSync(join(example, file), "utf8"));
  place.write("three.txt", "one two\nthree\n");
  const { source, notices } = await place.open();
  expect(notices).toEqual([]);
  for (const path of ["three.txt", "three.txt"])
    expect(await callTool(source, "count_words", { args: { path } })).toMatchObject({ content: "3 words" });
});
