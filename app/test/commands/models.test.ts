import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { newFolder, runWords } from "../run-words.ts";

async function rehearse(model: string): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "list", model, turns: [{ text: "hi" }] }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

function homeWith(configuration: string): string {
  const home = join(newFolder(), "home");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.toml"), configuration, { mode: 0o600 });
  return home;
}

function provider(name: string, wire: string, baseUrl: string): string {
  return `[providers.${name}]\nwire = "${wire}"\nbase_url = "${baseUrl}"\napi_key = "opens-nothing"\n`;
}

test("models of every wire are listed, each with what is known of it", async () => {
  const { url } = await rehearse("claude-haiku-4-5");
  const configuration =
    provider("one", "anthropic", url) +
    provider("two", "openai-responses", `${url}/v1`) +
    provider("three", "openai-chat", `${url}/v1`) +
    provider("four", "google", url);
  const { code, stdout, stderr } = await runWords(["models"], homeWith(configuration));
  expect([code, stderr]).toEqual([0, "capstan: two/ID can also be written three/ID\n"]);
  expect(stdout.split("\n")).toEqual([
    "  model                  context  output  $/M in  $/M out  source",
    "  one/claude-haiku-4-5      200k     64k       1        5  vendor",
    "  two/claude-haiku-4-5      200k     64k       1        5  vendor",
    "  four/claude-haiku-4-5    1.05M     66k       1        5  vendor",
    "",
  ]);
});

test("for machines it is one document", async () => {
  const { url } = await rehearse("claude-haiku-4-5");
  const home = homeWith(provider("mine", "anthropic", url));
  const { stdout } = await runWords(["models", "haiku", "--provider", "mine", "--json"], home);
  expect(JSON.parse(stdout)).toEqual({
    models: [
      {
        provider: "mine",
        id: "claude-haiku-4-5",
        name: "claude-haiku-4-5 (rehearsal)",
        contextWindowTokens: 200_000,
        maxOutputTokens: 64_000,
        prices: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
        inputs: ["image", "pdf"],
        thinking: "budget",
        source: "vendor",
        isDefault: false,
      },
    ],
    silent: [],
    alsoAs: {},
  });
});

test("a silent vendor is named on stderr, and the list comes from the catalog", async () => {
  const home = homeWith('[api_keys]\nanthropic = "k"\n[providers.anthropic]\nbase_url = "http://127.0.0.1:1"\n');
  const { code, stdout, stderr } = await runWords(["models", "sonnet-5-5"], home);
  expect(code).toBe(0);
  expect(stdout.split("\n")[1]).toBe("* anthropic/claude-sonnet-5-5       1M    128k       2       10  catalog");
  expect(stderr).toBe(
    "capstan: anthropic did not say which models it has: cannot reach http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; its models are listed as the catalog knows them\n",
  );
});

test("nothing that fits is said, and no key at all is an error that names the variables", async () => {
  const { url } = await rehearse("some");
  const home = homeWith(provider("mine", "anthropic", url));
  expect(await runWords(["models", "other"], home)).toEqual({
    code: 0,
    stdout: "",
    stderr: 'capstan: no model\'s name has "other" in it\n',
  });
  expect(await runWords(["models"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, .*\[model\.none\]\n {2}Try: capstan config init\n$/,
    ),
  });
});

test("a refresh that fails leaves with 1 and says why, wherever its flags stand", async () => {
  for (const words of [
    ["models", "refresh", "--set", "catalog.source_url=http://127.0.0.1:1/x"],
    ["models", "--set", "catalog.source_url=http://127.0.0.1:1/x", "refresh"],
  ])
    expect(await runWords(words)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^capstan: http:\/\/127\.0\.0\.1:1\/x gave no catalog: .*\[provider\.network\]/),
    });
});
