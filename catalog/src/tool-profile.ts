import type { ModelSettings, ToolProfileName } from "@capstan/protocol";
import type { CapstanConfig } from "@capstan/settings";

/** Model families by what their ids hold, and the tools they were trained on. Gateways write more in front and behind. */
const families: readonly (readonly [id: RegExp, profile: ToolProfileName])[] = [
  [/claude|kimi|(^|[/.:-])glm-|minimax/, "anthropic"],
  [/gemini|qwen/, "gemini"],
  [/(^|[/.:-])(gpt-|chatgpt|codex|o[134](-|$))/, "openai"],
];

/** The tools that a model is shown, as far as they are not our own. @param id  as the provider has it */
export function toolProfileOf(id: string, { tools }: CapstanConfig): Pick<ModelSettings, "toolProfile"> {
  const { profile } = tools;
  const name = id.toLowerCase();
  const found = profile === "auto" ? families.find(([pattern]) => pattern.test(name))?.[1] : profile;
  return found === undefined || found === "own" ? {} : { toolProfile: found };
}
