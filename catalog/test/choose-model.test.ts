import { expect, test } from "vitest";
import { chooseFallbacks, chooseModel } from "../src/choose-model.ts";
import { catalogFor } from "../src/model-catalog.ts";
import type { Environment } from "../src/resolve-provider.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

interface Place {
  readonly user?: string;
  readonly env?: Environment;
  readonly sets?: readonly string[];
}

async function choose({ user, env = {}, sets = [] }: Place): Promise<ReturnType<typeof chooseModel>> {
  const place = configPlace(user === undefined ? {} : { user });
  const { values } = await place.load({ env, sets });
  return chooseModel(values, env, { catalog: await catalogFor(values, place.home) });
}

async function check(place: Place, expected: string): Promise<void> {
  const { provider, model } = await choose(place);
  expect(provider?.name).toBe(model.provider);
  expect(`${model.provider}/${model.id}`).toBe(expected);
}

async function failure(place: Place): Promise<unknown> {
  return choose(place).then(
    () => "chosen",
    ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
  );
}

const bothKeys = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
const own = '[providers.mine]\nwire = "anthropic"\nbase_url = "https://mine.example"\n';

test("a named model wins, whoever has a key", async () => {
  await check({ env: bothKeys, sets: ["app.model=openai-chat/anything"] }, "openai-chat/anything");
  await check({ env: {}, sets: ["app.model=anthropic/x"] }, "anthropic/x");
  await check(
    { user: `[app]\nmodel = "anthropic/from-file"\nprovider = "openai-chat"\n`, env: bothKeys },
    "anthropic/from-file",
  );
});

test("without a model the named provider's default is taken", async () => {
  await check({ env: bothKeys, sets: ["app.provider=openai-chat"] }, "openai-chat/gpt-5.2");
  await check({ env: { OPENAI_API_KEY: "o" }, sets: ["app.provider=anthropic"] }, "anthropic/claude-sonnet-5-5");
});

test("without either it is the first provider that has a key", async () => {
  await check({ env: bothKeys }, "anthropic/claude-sonnet-5-5");
  await check({ env: { OPENAI_API_KEY: "o" } }, "openai/gpt-5.2");
  await check({ env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "o" } }, "openai/gpt-5.2");
  await check({ user: '[api_keys]\nopenai = "o"\n' }, "openai/gpt-5.2");
  await check({ env: { GEMINI_API_KEY: "g" } }, "google/gemini-3-pro-preview");
});

test("a model's id may hold slashes; a bare id belongs to the named provider", async () => {
  await check({ sets: ["app.model=openai-chat/vendor/model:free"] }, "openai-chat/vendor/model:free");
  await check({ user: own, sets: ["app.provider=mine", "app.model=small"] }, "mine/small");
});

test("where nothing can be chosen, the error says how to choose", async () => {
  expect(await failure({})).toEqual({ code: "model.none", message: "no model is named and no provider has a key" });
  expect(await failure({ user: own, sets: ["app.provider=mine"] })).toEqual({
    code: "model.none",
    message: "no model is named, and the provider mine has no default",
  });
  for (const text of ["bare", "anthropic/", "/x", "/"])
    expect(await failure({ env: bothKeys, sets: [`app.model=${text}`] })).toEqual({
      code: "model.unknown",
      message: `${JSON.stringify(text)} does not name a model`,
    });
  for (const name of ["nobody", "constructor", "__proto__", "toString"])
    expect(await failure({ sets: [`app.model=${name}/x`] })).toEqual({
      code: "model.unknown",
      message: `no provider is named ${JSON.stringify(name)}`,
    });
});

test("what the configuration says about a model stands above what is known of it", async () => {
  const user = `[models."anthropic/claude-sonnet-5-5"]\ncontext_window = 1000\nmax_output_tokens = 500\nprice_input = 1.0\nprice_output = 2.0\nprice_cached_input = 0.5\n`;
  const { model } = await choose({ user, sets: ["app.model=anthropic/claude-sonnet-5-5"] });
  expect(model).toMatchObject({
    contextWindowTokens: 1000,
    maxOutputTokens: 500,
    prices: { input: 1, output: 2, cachedInput: 0.5 },
  });
});

test("what the catalog knows of a model is what it runs with: prices of long prompts, attachments, and how it thinks", async () => {
  const haiku = await choose({ sets: ["app.model=anthropic/claude-haiku-5-5"] });
  expect(haiku.model).toMatchObject({
    contextWindowTokens: 1_000_000,
    prices: { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, longPrompt: [{ aboveTokens: 100_000, input: 0.5 }] },
    inputs: ["image", "pdf"],
    options: { thinking_style: "adaptive" },
  });
  const gemini = await choose({ sets: ["app.model=google/gemini-3.8-flash"] });
  expect(gemini.model.inputs).toEqual(["image", "pdf", "audio", "video"]);
  expect("thinking_style" in gemini.model.options).toBe(false);
  const unknown = await choose({ sets: ["app.model=anthropic/unreceived-of"] });
  expect(["inputs" in unknown.model, "thinking_style" in unknown.model.options]).toEqual([false, false]);
});

test("models to turn to run with what the catalog knows of them, and each needs its key", async () => {
  const place = configPlace({ user: '[app]\nmodel_fallbacks = ["openai/gpt-5.2", "anthropic/claude-haiku-4-5"]\n' });
  const { values } = await place.load();
  const catalog = await catalogFor(values, place.home);
  expect(chooseFallbacks(values, bothKeys, { catalog }).map(({ id, prices }) => [id, prices?.input])).toEqual([
    ["gpt-5.2", 1.75],
    ["claude-haiku-4-5", 1],
  ]);
  expect(() => chooseFallbacks(values, { OPENAI_API_KEY: "o" }, { catalog })).toThrow("no key is set for anthropic");
});

test("a gateway's models are known where one is configured, whatever it is called", async () => {
  const user = '[providers.fast]\nwire = "openai-chat"\nbase_url = "https://api.groq.com/openai/v1"\n';
  const { model } = await choose({ user, sets: ["app.model=fast/openai/gpt-oss-120b"] });
  expect([model.contextWindowTokens, model.prices]).toEqual([131_072, { input: 0.15, output: 0.6 }]);
});

test("inputs, long prompts and the style of thinking can be configured", async () => {
  const user = `${own}[models."mine/claude-sonnet-5"]\ninputs = ["image"]\nthinking_style = "budget"\nprice_input = 1.0\nprice_output = 2.0\nlong_prompt_tokens = 1000\nlong_price_input = 3.0\nlong_price_output = 4.0\nlong_price_cached_input = 0.5\n`;
  const { model } = await choose({ user, sets: ["app.model=mine/claude-sonnet-5"] });
  expect([model.inputs, model.prices, model.options["thinking_style"]]).toEqual([
    ["image"],
    { input: 1, output: 2, longPrompt: [{ aboveTokens: 1000, input: 3, output: 4, cachedInput: 0.5 }] },
    "budget",
  ]);
  const sets = ["app.model=mine/claude-sonnet-5"];
  const stated = user.replace("\n[models", '\noptions = { thinking_style = "both" }\n[models');
  expect((await choose({ user: stated, sets })).model.options["thinking_style"]).toBe("both");
  expect(await failure({ user: '[models."openai/x"]\ninputs = ["imgae"]\n', sets: ["app.model=openai/x"] })).toEqual({
    code: "config.invalid",
    message: '[models."openai/x"] inputs: "imgae" is no kind of input; did you mean image?',
  });
});

test("an answer gets the usual room, more or less where it is configured, and never more than the model has", async () => {
  const room = async (...sets: readonly string[]): Promise<number> =>
    (await choose({ sets: ["app.model=anthropic/claude-sonnet-5-5", ...sets] })).model.maxOutputTokens;
  expect(await room()).toBe(32_000);
  expect(await room("app.max_output_tokens=1000")).toBe(1000);
  expect(await room("app.max_output_tokens=50000")).toBe(50_000);
  expect(await room("app.max_output_tokens=200000")).toBe(128_000);
  const unknown = await choose({ sets: ["app.model=openai-chat/unreceived-of"] });
  expect([unknown.model.maxOutputTokens, "prices" in unknown.model]).toEqual([8192, false]);
});

test("an effort goes to models that have one, and to those that nothing is known of", async () => {
  for (const [model, option, expected] of [
    ["anthropic/claude-opus-5", "thinking_effort", "high"],
    ["anthropic/claude-sonnet-4-6", "thinking_effort", "high"],
    ["anthropic/claude-opus-4-5-20251101", "thinking_effort", "high"],
    ["anthropic/claude-haiku-4-5", "thinking_effort", undefined],
    ["anthropic/claude-sonnet-4-5", "thinking_effort", undefined],
    ["anthropic/some-new-one", "thinking_effort", "high"],
    ["openai/gpt-5.2", "reasoning_effort", "high"],
    ["openai/gpt-4.1", "reasoning_effort", undefined],
    ["openai-chat/gpt-4o-mini", "reasoning_effort", undefined],
    ["openai/o1-mini", "reasoning_effort", undefined],
    ["openai/some-new-one", "reasoning_effort", "high"],
  ] as const) {
    const { model: chosen } = await choose({ env: bothKeys, sets: [`app.model=${model}`, "app.effort=high"] });
    expect([model, chosen.options[option]]).toEqual([model, expected]);
  }
});

test("what the user says of one provider is sent as it is, and a fallback has options of its own", async () => {
  const user =
    '[providers.mine]\nwire = "openai-chat"\nbase_url = "https://mine.example"\noptions = { reasoning_effort = "low" }\n';
  const { model } = await choose({ user, sets: ["app.model=mine/gpt-4o"] });
  expect(model.options).toMatchObject({ reasoning_effort: "low" });
  const { values } = await configPlace({}).load({
    env: bothKeys,
    sets: ["app.model=openai/gpt-5.2", 'app.model_fallbacks=["openai/gpt-4.1"]', "app.effort=high"],
  });
  expect(chooseFallbacks(values, bothKeys).map(({ options }) => options["reasoning_effort"])).toEqual([undefined]);
});

test("a provider's model of summaries comes with each of its models, but with itself", async () => {
  const user = '[providers.anthropic]\nsummary_model = "claude-haiku-4-5"\n';
  const { model } = await choose({ user, env: bothKeys, sets: ["app.model=anthropic/claude-opus-4-5"] });
  expect(model.summarizer).toMatchObject({ provider: "anthropic", id: "claude-haiku-4-5", wire: "anthropic" });
  expect(model.summarizer?.prices?.input).toBeLessThan(model.prices?.input ?? 0);
  const itself = await choose({ user, env: bothKeys, sets: ["app.model=anthropic/claude-haiku-4-5"] });
  const other = await choose({ user, env: bothKeys, sets: ["app.model=openai/gpt-5.2"] });
  expect([itself.model.summarizer, other.model.summarizer]).toEqual([undefined, undefined]);
});
