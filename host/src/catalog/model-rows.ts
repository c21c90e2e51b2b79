import type { InputKind, ModelPrices, TokenPrices } from "@capstan/protocol";
import { type CatalogModel, inputKinds, type Thinking } from "./model-facts.ts";

/**
 * Models as lines of text, which cost next to nothing to load: id (with `*` when not listed), window, output, prices, inputs,
 * thinking, then a step a long prompt: `gemini-x 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4`. `-` is not known; prices
 * are input, output, from the cache, to the cache.
 */
export function readRows(text: string): ModelTable {
  const lines = new Map<string, string>();
  for (const line of text.split("\n")) {
    const name = line.slice(0, Math.max(0, line.indexOf(" ")));
    if (name !== "") lines.set(name.endsWith("*") ? name.slice(0, -1) : name, line);
  }
  return {
    ids: () => lines.keys(),
    get: (id) => readRow(lines.get(id) ?? ""),
    all: () => [...lines.values()].flatMap((line) => readRow(line) ?? []),
  };
}

/** Models by id; of most of them a run only ever wants the ids. */
export interface ModelTable {
  ids(): Iterable<string>;
  get(id: string): CatalogModel | undefined;
  all(): readonly CatalogModel[];
}

/** @see readRows */
export function rowText(model: CatalogModel): string {
  const { id, listed, contextWindowTokens, maxOutputTokens, prices, inputs, thinking = unknown } = model;
  const steps = prices?.longPrompt?.map((step) => `${step.aboveTokens}:${pricesText(step)}`) ?? [];
  const letters = inputs?.map((kind) => letterOf[kind]).join("") ?? unknown;
  return [
    `${id}${listed ? "" : "*"}`,
    contextWindowTokens ?? unknown,
    maxOutputTokens ?? unknown,
    prices === undefined ? unknown : pricesText(prices),
    letters === "" ? textOnly : letters,
    thinking,
    ...steps,
  ].join(" ");
}

const unknown = "-";
const textOnly = "t";
const letterOf: Readonly<Record<InputKind, string>> = { image: "i", pdf: "p", audio: "a", video: "v" };
const thinkings: readonly Thinking[] = ["no", "yes", "adaptive", "budget", "both"];

/** `undefined` for a line that is none: the file may be of another version. */
function readRow(line: string): CatalogModel | undefined {
  const [name = "", window, output, prices = unknown, inputs = unknown, thinking, ...steps] = line.split(" ");
  if (name === "" || thinking === undefined) return undefined;
  const listed = !name.endsWith("*");
  const contextWindowTokens = countOf(window);
  const maxOutputTokens = countOf(output);
  const read = readPrices(prices, steps);
  const style = thinkings.find((word) => word === thinking);
  return {
    id: listed ? name : name.slice(0, -1),
    listed,
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(read === undefined ? {} : { prices: read }),
    ...(inputs === unknown ? {} : { inputs: inputKinds.filter((kind) => inputs.includes(letterOf[kind])) }),
    ...(style === undefined ? {} : { thinking: style }),
  };
}

function countOf(word: string | undefined): number | undefined {
  const count = Number(word);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

function readPrices(text: string, steps: readonly string[]): ModelPrices | undefined {
  const prices = tokenPrices(text);
  if (prices === undefined) return undefined;
  const longPrompt = steps.flatMap((step) => {
    const colon = step.indexOf(":");
    const aboveTokens = countOf(step.slice(0, colon));
    const own = tokenPrices(step.slice(colon + 1));
    return aboveTokens === undefined || own === undefined ? [] : [{ ...own, aboveTokens }];
  });
  return longPrompt.length === 0 ? prices : { ...prices, longPrompt };
}

function tokenPrices(text: string): TokenPrices | undefined {
  const [input, output, cachedInput, cacheWrite] = text.split(",").map(priceOf);
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function priceOf(word: string): number | undefined {
  const price = word === "" ? Number.NaN : Number(word);
  return Number.isFinite(price) && price >= 0 ? price : undefined;
}

function pricesText({ input, output, cachedInput, cacheWrite }: TokenPrices): string {
  return [input, output, cachedInput ?? "", cacheWrite ?? ""].join(",").replace(/,+$/, "");
}
