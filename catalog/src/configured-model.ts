import { AppError, type ModelPrices, type TokenPrices } from "@capstan/protocol";
import { type CapstanConfig, type ModelConfig, didYouMean } from "@capstan/settings";
import { inputKinds, type ModelFacts } from "./model-facts.ts";

/**
 * What the configuration says about a model, in `[models."provider/id"]`.
 * @throws {AppError} `config.invalid` for inputs there are none of
 */
export function configuredModel({ models }: CapstanConfig, name: string): ModelFacts {
  const own = Object.hasOwn(models, name) ? models[name] : undefined;
  if (own === undefined) return {};
  const prices = pricesOf(own);
  return {
    ...(own.context_window === null ? {} : { contextWindowTokens: own.context_window }),
    ...(own.max_output_tokens === null ? {} : { maxOutputTokens: own.max_output_tokens }),
    ...(prices === undefined ? {} : { prices }),
    ...(own.inputs === null ? {} : { inputs: own.inputs.map((word) => toInputKind(word, name)) }),
    ...(own.thinking_style === null ? {} : { thinking: own.thinking_style }),
  };
}

function toInputKind(word: string, name: string): (typeof inputKinds)[number] {
  const kind = inputKinds.find((candidate) => candidate === word);
  if (kind !== undefined) return kind;
  const problem = `[models."${name}"] inputs: ${JSON.stringify(word)} is no kind of input`;
  throw new AppError("config.invalid", problem + didYouMean(word, inputKinds), {
    hint: `Kinds are ${inputKinds.join(", ")}; text is always one.`,
  });
}

function pricesOf(own: ModelConfig): ModelPrices | undefined {
  const prices = tokenPrices(own.price_input, own.price_output, own.price_cached_input, own.price_cache_write);
  if (prices === undefined || own.long_prompt_tokens === null) return prices;
  const { long_price_input: input, long_price_output: output } = own;
  const long = tokenPrices(input, output, own.long_price_cached_input, own.long_price_cache_write);
  return long === undefined ? prices : { ...prices, longPrompt: [{ ...long, aboveTokens: own.long_prompt_tokens }] };
}

function tokenPrices(...[input, output, cachedInput, cacheWrite]: readonly (number | null)[]): TokenPrices | undefined {
  if (input == null || output == null) return undefined;
  return {
    input,
    output,
    ...(cachedInput == null ? {} : { cachedInput }),
    ...(cacheWrite == null ? {} : { cacheWrite }),
  };
}
