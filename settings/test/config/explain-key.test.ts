import { expect, test } from "vitest";
import { type ConfigOrigin, describeOrigin } from "../../src/config/config-origin.ts";
import { explainKey } from "../../src/config/explain-key.ts";
import { maskSecrets } from "../../src/config/mask-secrets.ts";
import { configPlace, noDialect } from "./config-place.ts";

test("a key is explained with its value, the layer that set it, and what lower layers said", async () => {
  const place = configPlace({ user: "[tools.output]\nmax_bytes = 5000\n", project: "tools.output.max_bytes = 4000\n" });
  const loaded = await place.load({ sets: ["tools.output.max_bytes=9000"] });
  expect(explainKey(loaded, "tools.output.max_bytes")).toEqual({
    key: "tools.output.max_bytes",
    about: "Bytes of a command's output the model is shown; the rest is kept in a file.",
    accepts: "an integer from 256 to 67108864",
    value: 9000,
    origin: { layer: "flag", flag: "--set" },
    layers: [
      { value: 102_400, origin: { layer: "default" } },
      { value: 5000, origin: { layer: "user", file: place.userFile, line: 2 } },
      { value: 4000, origin: { layer: "project", file: place.projectFile, line: 1 } },
      { value: 9000, origin: { layer: "flag", flag: "--set" } },
    ],
    choices: [],
    joins: false,
  });
  expect(explainKey(loaded, 'models."a/b".price_input').value).toBe(null);
});

test("an origin reads as a place", () => {
  const origins: readonly ConfigOrigin[] = [
    { layer: "default" },
    { layer: "user", file: "/c.toml", line: 3 },
    { layer: "user", file: "/c.toml", line: 4, preset: "p" },
    { layer: "project", file: "/p.toml" },
    { layer: "environment", variable: "CAPSTAN_MODEL" },
    { layer: "flag", flag: "-m" },
  ];
  expect(origins.map(describeOrigin)).toEqual([
    "default",
    "/c.toml:3 (user)",
    "/c.toml:4 (preset p)",
    "/p.toml (project)",
    "variable CAPSTAN_MODEL",
    "flag -m",
  ]);
});

test("what is no key is refused with a suggestion", async () => {
  const loaded = await configPlace().load();
  const check = (key: string, message: string) => expect(() => explainKey(loaded, key)).toThrow(message);
  check("tools.output", '"tools.output" is a table; it has max_bytes'.replaceAll('"', ""));
  check("tools.outptu.max_bytes", "unknown key tools.outptu; did you mean tools.output?");
  check("max_bytes", "unknown key max_bytes; did you mean tools.output.max_bytes?");
  check("app.model.x", "unknown key");
  check("..", "is not a key");
});

test("secrets are shown neither by explanations, nor in listings, nor in problems", async () => {
  const place = configPlace({
    user: `
[api_keys]
openai = "canary-1"
[providers.x]
api_key = "canary-2"
base_url = "https://user:canary-3@host/v1?api_key=canary-4&page=1"
headers = { Authorization = "Bearer canary-5" }
body = { auth_token = "canary-6", seed = 1, nested = [{ password = "canary-7" }] }
query = { key = "canary-10" }
[network]
proxy = "user:canary-8@proxy:1"
`,
  });
  const loaded = await place.load({ env: { HTTPS_PROXY: "http://me:canary-9@proxy:2" } });
  const explained = [...loaded.keys.keys()].map((key) => explainKey(loaded, key));
  expect(JSON.stringify([explained, maskSecrets(loaded.values), loaded.warnings])).not.toContain("canary");
  expect([maskSecrets(loaded.values)["providers"], explainKey(loaded, "network.proxy").value]).toEqual([
    {
      x: {
        wire: null,
        base_url: "https://***@host/v1?api_key=***&page=1",
        api_key: "***",
        key_header: null,
        key_prefix: null,
        headers: { Authorization: "***" },
        query: { key: "***" },
        options: {},
        body: { auth_token: "***", seed: 1, nested: [{ password: "***" }] },
        dialect: noDialect,
        summary_model: null,
        requires_key: true,
      },
    },
    "http://***@proxy:2",
  ]);
  const failure = await place.failure({
    sets: ["api_keys.openai={a='canary'}", "providers.x.base_url=canary", "canary"],
  });
  expect(failure.message).not.toContain("canary");
});
