import { isJsonObject } from "@capstan/protocol";
import type { RecordedExchange } from "../scenario/recorded-exchange.ts";
import { plainTarget } from "../wires/find-wire.ts";

/** `strict`: a request must be the recorded one, but for what no two runs share. `lenient`: only its kind counts. */
export type Comparison = "strict" | "lenient";

/** Where a recording stands: the n-th request of a kind gets the n-th answer to that kind. Owned by one server. */
export interface Playback {
  /** What was recorded, for messages. */
  readonly kinds: readonly string[];
  countOf(kind: string): number;
  /** What the next request of a kind gets; `undefined`: there is no more. */
  peek(kind: string): RecordedExchange | undefined;
  /** Moves on behind it. */
  take(kind: string): void;
  /** Exchanges not served yet; 0 for recordings that loop. */
  unused(): number;
}

export function createPlayback(exchanges: readonly RecordedExchange[], loop: boolean): Playback {
  const lists = new Map<string, RecordedExchange[]>();
  for (const exchange of exchanges) {
    const kind = kindOf(exchange.method, exchange.path, exchange.body);
    lists.set(kind, [...(lists.get(kind) ?? []), exchange]);
  }
  const served = new Map<string, number>();
  const countOf = (kind: string): number => lists.get(kind)?.length ?? 0;
  const at = (kind: string): number => served.get(kind) ?? 0;
  return {
    kinds: [...lists.keys()],
    countOf,
    peek: (kind) => lists.get(kind)?.[loop ? at(kind) % countOf(kind) : at(kind)],
    take: (kind) => void served.set(kind, at(kind) + 1),
    unused: () => (loop ? 0 : [...lists].reduce((sum, [kind, list]) => sum + list.length - at(kind), 0)),
  };
}

/** Method, path and model: requests that differ in one of them take nothing from each other. */
export function kindOf(method: string, target: string, body: unknown): string {
  const path = plainTarget(target).split("?")[0] ?? "";
  const model = isJsonObject(body) && typeof body["model"] === "string" ? ` for ${body["model"]}` : "";
  return `${method} ${path}${model}`;
}
