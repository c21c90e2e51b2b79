import { expect, test } from "vitest";
import { chooseFallbacks, chooseModel } from "../src/choose-model.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

/** The profile of the chosen model and of its fallback; `undefined`: our own tools. */
async function profilesOf(model: string, ...sets: readonly string[]): Promise<readonly unknown[]> {
  const env = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" };
  const named = [`app.model=${model}`, 'app.model_fallbacks=["google/gemini-3-pro"]', ...sets];
  const { values } = await configPlace({}).load({ env, sets: named });
  const chosen = [chooseModel(values, env).model, ...chooseFallbacks(values, env)];
  return chosen.map(({ toolProfile }) => toolProfile);
}

test.each([
  ["anthropic/claude-sonnet-4-5", "anthropic"],
  ["openai-chat/anthropic/Claude-Opus-4.6", "anthropic"],
  ["openai-chat/moonshotai/kimi-k2", "anthropic"],
  ["openai-chat/z-ai/glm-4.6", "anthropic"],
  ["openai-chat/minimax/minimax-m2", "anthropic"],
  ["openai/gpt-5.2", "openai"],
  ["openai/o4-mini", "openai"],
  ["openai-chat/openai/gpt-oss-120b", "openai"],
  ["google/gemini-2.5-flash", "gemini"],
  ["openai-chat/qwen/qwen3-coder", "gemini"],
  ["openai-chat/deepseek-chat", undefined],
  ["anthropic/rehearsal", undefined],
  ["openai/rehearsal", undefined],
])("%s is shown the tools in the words of %s", async (model, profile) => {
  expect(await profilesOf(model)).toEqual([profile, "gemini"]);
});

test("the setting tools.profile stands above the model's family, for fallbacks, too", async () => {
  expect(await profilesOf("openai/gpt-5.2", "tools.profile=anthropic")).toEqual(["anthropic", "anthropic"]);
  expect(await profilesOf("openai/gpt-5.2", "tools.profile=own")).toEqual([undefined, undefined]);
});
