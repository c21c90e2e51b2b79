import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramTool } from "@capstan/ports";
import { asDriver } from "@capstan/testkit";
import { expect, test } from "vitest";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "../src/load-settings.ts";
import { openArchive, openTools } from "../src/open-parts.ts";
import { key, newPlace, rehearse, start, take } from "./host-place.ts";

test.each(["anthropic", "openai-chat"] as const)(
  "over %s a host plays a turn with real tools, and keeps it on disk",
  async (wire) => {
    const { home, workspace, settings } = newPlace();
    writeFileSync(join(workspace, "a.txt"), `words and ${key}\n`);
    const { url, exchanges, unused } = await rehearse([
      { text: "I look.", tool_calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
      { text: "done" },
    ]);
    const env =
      wire === "anthropic"
        ? { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }
        : { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key };
    const host = await start(await settings(env, [`app.model=${wire}/rehearsal`]));
    const events = await take(host, "look at a.txt");
    expect(events.at(-1)?.record).toMatchObject({ type: "turn-ended", outcome: "done" });
    expect([unused(), exchanges.map((exchange) => exchange.status)]).toEqual([0, [200, 200]]);
    expect(JSON.stringify(exchanges[1]?.body)).toContain("words and");
    expect(JSON.stringify([events, exchanges.map((exchange) => exchange.body)])).not.toContain(key);
    await host.close();

    const archive = await openArchive({ home });
    const [summary] = await archive.list();
    expect(summary).toMatchObject({
      title: "look at a.txt",
      cwd: workspace,
      model: `${wire}/rehearsal`,
      turns: 1,
      lastOutcome: "done",
    });
    await archive.close();
  },
);

test("what nobody may be asked about is denied, and the model is informed", async () => {
  const { workspace, settings } = newPlace();
  const { url, exchanges } = await rehearse([
    { tool_calls: [{ name: "write_file", arguments: { path: "new.txt", content: "x" } }] },
    { text: "I could not." },
  ]);
  const host = await start(await settings({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }));
  const records = (await take(host, "write")).map((event) => event.record);
  expect(records.find((record) => record.type === "tool-finished")).toMatchObject({
    outcome: { type: "denied", by: "unattended" },
  });
  expect([existsSync(join(workspace, "new.txt")), exchanges.length]).toEqual([false, 2]);
});

test("where no model can be asked, no session begins, and none is left behind", async () => {
  const { home, settings } = newPlace();
  expect(await failureOf(await settings())).toBe("model.none");
  expect(await failureOf(await settings({}, ["app.model=anthropic/x"]))).toBe("provider.auth");
  expect(await failureOf(await settings({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: "http://far.example" }))).toBe(
    "config.invalid",
  );
  const archive = await openArchive({ home });
  expect(await archive.list()).toEqual([]);
  await archive.close();
});

test("a budget that cannot be kept is refused before anything starts", async () => {
  const env = { ANTHROPIC_API_KEY: key };
  const unknown = await newPlace().settings(env, ["app.model=anthropic/nobody-knows", "limits.max_cost_usd=1"]);
  await expect(begin(unknown)).rejects.toMatchObject({
    code: "config.invalid",
    message: "limits.max_cost_usd is set, but the prices of anthropic/nobody-knows are not known",
  });
  const known = await newPlace().settings(env, ["app.model=anthropic/claude-sonnet-4-5", "limits.max_cost_usd=1"]);
  await begin(known);
});

test("old command output is cleared away by the time the host has closed", async () => {
  const { home, settings } = newPlace();
  const { spill } = await prepareDataDirectory(home);
  for (const name of ["old", "new"]) writeFileSync(join(spill, name), "");
  const at = new Date(Date.now() - 30 * 24 * 3_600_000);
  utimesSync(join(spill, "old"), at, at);
  const host = await start(await settings({ ANTHROPIC_API_KEY: key }));
  await host.close();
  expect(readdirSync(spill)).toEqual(["new"]);
});

test("the database is its owner's alone", async () => {
  const { home, settings } = newPlace();
  await (await start(await settings({ ANTHROPIC_API_KEY: key }))).close();
  expect((statSync(join(home, "capstan.db")).mode & 0o077).toString(8)).toBe("0");
});

test("a tool of the program is offered, judged by its effect, executed once, and its answer reaches the model", async () => {
  const { settings } = newPlace();
  const calls = ["weather", "deploy"].map((name) => ({ name, arguments: { place: "Gdynia" } }));
  const { url, exchanges } = await rehearse([{ tool_calls: calls }, { text: "sunny" }]);
  const executed: string[] = [];
  const tool = (name: string, effect: "read" | "execute"): ProgramTool => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
    effect,
    execute: async (args) => {
      executed.push(`${name} ${JSON.stringify(args)}`);
      return await Promise.resolve("it is 21 degrees");
    },
  });
  const host = await start(await settings({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }), {
    tools: [tool("weather", "read"), tool("deploy", "execute"), tool("Bash", "read")],
  });
  const records = (await take(host, "how is the weather?")).map(({ record }) => record);
  expect(executed).toEqual(['weather {"place":"Gdynia"}']);
  expect(records.filter((record) => record.type === "tool-finished").map(({ outcome }) => outcome)).toMatchObject([
    { type: "denied", by: "unattended" },
    { type: "done", content: "it is 21 degrees" },
  ]);
  expect(JSON.stringify(exchanges[0]?.body)).toContain("Does weather.");
  expect(JSON.stringify(exchanges[0]?.body)).not.toContain("Does Bash.");
  expect(JSON.stringify(exchanges[1]?.body)).toContain("it is 21 degrees");
  expect(records.find((record) => record.type === "notice" && record.code === "tool.name-taken")).toMatchObject({
    text: "The tool Bash of this program is left out: its name means a tool of Capstan already.",
  });
});

test("a tool of a server that is not there now may be enabled by name, and stops nothing", async () => {
  const { home, settings } = newPlace();
  const data = await prepareDataDirectory(home);
  const enabled = await settings({}, ['tools.enabled=["read_file", "mcp__docs__search"]']);
  expect(openTools(enabled, data).names()).toContain("read_file");
  expect(openTools(enabled, data).definitions()).toHaveLength(1);
  const wrong = await settings({}, ['tools.enabled=["read_file", "docs_search"]']);
  expect(() => openTools(wrong, data)).toThrow('no tool is named "docs_search"');
});

test("tools that the configuration disables are not there", async () => {
  const { home, settings } = newPlace();
  const data = await prepareDataDirectory(home);
  const names = async (sets: readonly string[]): Promise<readonly string[]> =>
    openTools(await settings({}, sets), data)
      .definitions()
      .map((definition) => definition.name);
  const all = await names([]);
  expect(all).toContain("run_command");
  expect(await names(['tools.disabled=["run_command"]'])).toEqual(all.filter((name) => name !== "run_command"));
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

/** The code of the error that a new session is refused with. */
function failureOf(settings: Settings): Promise<unknown> {
  return begin(settings).then(
    () => "started",
    ({ code }: { readonly code: string }) => code,
  );
}
