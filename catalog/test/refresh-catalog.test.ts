import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@capstan/protocol";
import { fetchJson } from "@capstan/providers";
import { expect, test } from "vitest";
import type { Settings } from "@capstan/settings";
import { findModel } from "../src/known-models.ts";
import { openCatalog } from "../src/model-catalog.ts";
import { refreshCatalog, type RefreshReport } from "../src/refresh-catalog.ts";
import { type ConfigPlace, configPlace, plainSettings } from "../../settings/test/config/config-place.ts";
import { serveJson } from "./catalog-server.ts";

const sonnet = {
  id: "claude-sonnet-5-5",
  limit: { context: 1_000_000, output: 128_000 },
  cost: { input: 3, output: 12, cache_read: 0.3, cache_write: 3.75 },
  modalities: { input: ["text", "image"], output: ["text"] },
  reasoning: true,
};
const newest = { id: "claude-sonnet-9", limit: { context: 2_000_000, output: 256_000 } };
const published = {
  anthropic: { id: "anthropic", models: { "claude-sonnet-5-5": sonnet, "claude-sonnet-9": newest } },
  google: {
    models: {
      // The price as it is built in, without the step that is known for long prompts.
      a: { id: "gemini-2.5-pro", limit: { context: 1_048_576, output: 65_536 }, cost: { input: 1.25, output: 10 } },
    },
  },
  nobody: { models: { x: { id: "x", limit: { context: 1, output: 1 } } } },
};

async function settingsAt(place: ConfigPlace, address: string): Promise<Settings> {
  return plainSettings(place, { sets: [`catalog.source_url=${address}`] });
}

async function refresh(place: ConfigPlace, address: string): Promise<RefreshReport> {
  return refreshCatalog(await settingsAt(place, address), new AbortController().signal, { fetchJson });
}

async function failure(place: ConfigPlace, address: string): Promise<Pick<AppError, "code" | "message">> {
  try {
    await refresh(place, address);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message.replace(/:\d+\//g, ":0/") };
  }
  throw new Error("the catalog was refreshed");
}

test("a refresh says what it brought, and stands over the built-in catalog from then on", async () => {
  const { url } = await serveJson({ "/api.json": published });
  const place = configPlace();
  const file = join(place.home, "models.json");
  expect(await refresh(place, `${url}/api.json?token=x`)).toEqual({
    source: `${url}/api.json`,
    file,
    vendors: 2,
    models: 3,
    newModels: 1,
    changedPrices: 1,
    skipped: 0,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(place.home).toSorted()).toContain("models.json");
  const catalog = openCatalog(place.home);
  expect(findModel("claude-sonnet-9-20270101", "anthropic", catalog)).toMatchObject({ contextWindowTokens: 2_000_000 });
  expect(findModel("claude-sonnet-5-5", "anthropic", catalog)).toEqual({
    id: "claude-sonnet-5-5",
    listed: true,
    contextWindowTokens: 1_000_000,
    maxOutputTokens: 128_000,
    prices: { input: 3, output: 12, cachedInput: 0.3, cacheWrite: 3.75 },
    inputs: ["image"],
    // How it thinks is only built in.
    thinking: "adaptive",
  });
  expect(findModel("gemini-2.5-pro", "google", catalog)?.prices?.longPrompt).toEqual([
    { input: 2.5, output: 15, cachedInput: 0.25, aboveTokens: 200_000 },
  ]);
  expect(findModel("x", "nobody", catalog)).toBeUndefined();
});

test("the same catalog again brings nothing new", async () => {
  const { url } = await serveJson({ "/api.json": published });
  const place = configPlace();
  await refresh(place, `${url}/api.json`);
  expect(await refresh(place, `${url}/api.json`)).toMatchObject({ models: 3, newModels: 0, changedPrices: 0 });
  expect(readdirSync(place.home).filter((name) => name.startsWith("models.json"))).toEqual(["models.json"]);
});

test("a provider of the user's own gets the models of the vendor it is named after", async () => {
  const { url } = await serveJson({ "/api.json": published });
  const place = configPlace({
    user: '[providers.nobody]\nwire = "openai-chat"\nbase_url = "https://nobody.example"\n',
  });
  expect(await refresh(place, `${url}/api.json`)).toMatchObject({ vendors: 3, models: 4 });
  expect(findModel("x", "nobody", openCatalog(place.home))?.id).toBe("x");
});

test("whatever goes wrong, the old catalog stays and the error says what to do", async () => {
  const { url } = await serveJson({ "/page": "<html>", "/list": [1], "/other": { a: { models: {} } } });
  const place = configPlace();
  const file = join(place.home, "models.json");
  writeFileSync(file, "old");
  const protocol = "provider.protocol";
  const where = "http://127.0.0.1:0";
  expect(await failure(place, `${url}/none`)).toEqual({
    code: "provider.http",
    message: `${where}/none gave no catalog: answered 404: nothing here`,
  });
  expect(await failure(place, `${url}/page`)).toMatchObject({ code: protocol });
  for (const path of ["list", "other"]) {
    const message = `what ${where}/${path} answers is no catalog of models`;
    expect(await failure(place, `${url}/${path}`)).toEqual({ code: protocol, message });
  }
  expect(await failure(place, "http://far.example/api.json")).toEqual({
    code: "config.invalid",
    message: "catalog.source_url is plain http to far.example",
  });
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(place.home)).toEqual(["models.json"]);
});

test("a stop in the middle ends the refresh with its own reason", async () => {
  const { url } = await serveJson({ "/api.json": published });
  const place = configPlace();
  const settings = await settingsAt(place, `${url}/api.json`);
  await expect(refreshCatalog(settings, AbortSignal.abort(new Error("enough")), { fetchJson })).rejects.toThrow(
    "enough",
  );
  expect(readdirSync(place.home)).toEqual([]);
});

test("a refreshed file that is damaged, of another version or of another form is as good as none", () => {
  const place = configPlace();
  const built = openCatalog().modelsOf("anthropic").all();
  for (const text of ["", "{", "[]", '{"version":1,"vendors":{"anthropic":"a 1 1 - - no"}}', '{"version":2}'])
    expect(openCatalog(withFile(place, text)).modelsOf("anthropic").all()).toEqual(built);
  const odd = '{"version":2,"vendors":{"anthropic":7,"openai":{"a":{"contextWindowTokens":1},"b":"rubbish"}}}';
  const catalog = openCatalog(withFile(place, odd));
  expect(catalog.modelsOf("anthropic").all()).toEqual(built);
  expect(catalog.modelsOf("openai").get("a")?.contextWindowTokens).toBe(1);
});

function withFile(place: ConfigPlace, text: string): string {
  writeFileSync(join(place.home, "models.json"), text);
  return place.home;
}
