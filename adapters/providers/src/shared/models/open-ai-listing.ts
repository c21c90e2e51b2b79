import { type InputKind, isJsonObject, type JsonObject, type JsonValue, type ModelPrices } from "@capstan/protocol";
import { isList, listOf, objectOf } from "../json-fields.ts";
import type { ModelListing } from "./list-models.ts";
import { readOffer } from "./read-offer.ts";

/** `GET /models` of OpenAI, and of the servers and gateways that say more about their models than OpenAI does. */
export const openAiListing: ModelListing = {
  path: ["models"],
  query: () => "",
  readPage(document) {
    const list = isList(document) ? document : modelsIn(objectOf(document));
    if (list === undefined) return undefined;
    return { offers: list.filter(isJsonObject).flatMap((model) => readOffer(saidAbout(model))) };
  },
};

function modelsIn(document: JsonObject | undefined): readonly JsonValue[] | undefined {
  return [document?.["data"], document?.["models"]].find(isList);
}

function saidAbout(model: JsonObject): Parameters<typeof readOffer>[0] {
  const best = objectOf(model["top_provider"]);
  const trained = objectOf(model["meta"]);
  return {
    id: model["id"] ?? model["name"],
    name: model["display_name"] ?? model["name"],
    window: [
      model["context_length"],
      model["context_window"],
      model["max_model_len"],
      model["max_context_length"],
      best?.["context_length"],
      trained?.["n_ctx"],
      trained?.["n_ctx_train"],
    ],
    output: [model["max_completion_tokens"], model["max_output_tokens"], best?.["max_completion_tokens"]],
    inputs: readInputs(objectOf(model["architecture"])?.["input_modalities"]),
    prices: readPrices(objectOf(model["pricing"])),
  };
}

const inputWords: Readonly<Record<string, InputKind>> = {
  image: "image",
  file: "pdf",
  pdf: "pdf",
  audio: "audio",
  video: "video",
};

function readInputs(words: JsonValue | undefined): readonly InputKind[] | undefined {
  if (!isList(words)) return undefined;
  const kinds = listOf(words).flatMap((word) =>
    typeof word === "string" && Object.hasOwn(inputWords, word) ? (inputWords[word] ?? []) : [],
  );
  return [...new Set(kinds)];
}

/** OpenRouter's way: USD per token, as text; negative where the price depends on who will answer. */
function readPrices(pricing: JsonObject | undefined): ModelPrices | undefined {
  const input = perMillion(pricing?.["prompt"]);
  const output = perMillion(pricing?.["completion"]);
  if (input === undefined || output === undefined) return undefined;
  const cachedInput = perMillion(pricing?.["input_cache_read"]);
  const cacheWrite = perMillion(pricing?.["input_cache_write"]);
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

const tokensPerPrice = 1_000_000;
/** A millionth of a dollar per million tokens; takes the dust of binary fractions away. */
const finestPrice = 1_000_000;

function perMillion(text: JsonValue | undefined): number | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const price = Math.round(Number(text) * tokensPerPrice * finestPrice) / finestPrice;
  return Number.isFinite(price) && price >= 0 ? price : undefined;
}
