import type { Thinking } from "../../catalog/src/model-facts.ts";
import type { ModelRow, RowPrices } from "./model-row.ts";

/** A model in the published catalog. */
interface PublishedModel {
  readonly id: string;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  readonly cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly contextWindow: number;
  readonly maxTokens: number;
}

export type PublishedCatalog = Readonly<Record<string, Readonly<Record<string, PublishedModel>>>>;

/** Ids that are no models to talk to, or that their makers took away long ago. */
const left: readonly RegExp[] = [/^claude-3-/, /^gemini-1\.5/, /^gemini-live/, /-preview-0[456]-\d\d/];

/** The rows of one vendor, before corrections. */
export function publishedRows(catalog: PublishedCatalog, vendor: string): readonly ModelRow[] {
  const models = Object.values(catalog[vendor] ?? {});
  if (models.length === 0) throw new Error(`the published catalog has no models of ${vendor}`);
  return models
    .filter((model) => !left.some((pattern) => pattern.test(model.id)) && isUsable(model))
    .map((model) => toRow(model, vendor));
}

function isUsable({ id, contextWindow, maxTokens }: PublishedModel): boolean {
  return !/[\s*]/.test(id) && contextWindow > 0 && maxTokens > 0;
}

function toRow(model: PublishedModel, vendor: string): ModelRow {
  const { id, contextWindow, maxTokens } = model;
  const [maker = vendor, name = id] = id.includes("/") ? id.split("/") : [];
  const prices = toPrices(model.cost);
  return {
    id,
    window: contextWindow,
    output: Math.min(maxTokens, contextWindow),
    ...(prices === undefined ? {} : { prices }),
    inputs: inputsOf(maker, name, model.input),
    thinking: vendor === "anthropic" ? claudeThinking(id) : model.reasoning ? "yes" : "no",
  };
}

/** Where the catalog has no price for cached tokens it says 0: then they cost what others cost. */
function toPrices({ input, output, cacheRead, cacheWrite }: PublishedModel["cost"]): RowPrices | undefined {
  if (input < 0 || output < 0) return undefined;
  if (cacheWrite > 0 && cacheRead > 0) return [exact(input), exact(output), exact(cacheRead), exact(cacheWrite)];
  return cacheRead > 0 ? [exact(input), exact(output), exact(cacheRead)] : [exact(input), exact(output)];
}

/** Without the dust of binary fractions. */
function exact(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}

/** The catalog only knows pictures; what else the three large makers' models take is in their documentation. */
function inputsOf(maker: string, name: string, input: readonly string[]): string {
  if (!input.includes("image")) return "";
  if (maker === "google" && name.startsWith("gemini")) return "ipav";
  if (maker === "anthropic" || (maker === "openai" && name !== "gpt-4-turbo")) return "ip";
  return "i";
}

/** Budgets are refused since 4.7; adaptive thinking came with 4.6. */
function claudeThinking(id: string): Thinking {
  if (/^claude-(?:haiku-4-5|(?:opus|sonnet)-4(?:-[015]|-2025))/.test(id)) return "budget";
  return /^claude-(?:opus|sonnet)-4-6/.test(id) ? "both" : "adaptive";
}
