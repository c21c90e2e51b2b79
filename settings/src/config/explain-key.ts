import { AppError, type JsonValue } from "@capstan/protocol";
import { expectation } from "./check-value.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import { type ConfigSegments, parsePath, pathText } from "./keys/config-path.ts";
import type { ConfigType } from "./keys/config-key.ts";
import { keyTree, nodeAt } from "./keys/key-tree.ts";
import type { ConfigContribution, SettledKey } from "./layer-stack.ts";
import type { LoadedConfig } from "./load-config.ts";
import { maskValue } from "./mask-secrets.ts";
import { quoteName } from "./quote.ts";
import { unknownKey } from "./read-settings.ts";

/** Everything about one key; secrets are masked. */
export interface ExplainedKey {
  readonly key: string;
  readonly about: string;
  /** What it accepts, in words. */
  readonly accepts: string;
  /** The values to choose from, as they are written; empty: any that fits. */
  readonly choices: readonly string[];
  readonly value: JsonValue;
  /** The highest layer that set it. */
  readonly origin: ConfigOrigin;
  /** All that was said about it, weakest first, the default included. */
  readonly layers: readonly ConfigContribution[];
  /** The layers' lists are put together; without it the highest layer wins. */
  readonly joins: boolean;
  /** Where it was locked. */
  readonly locked?: ConfigOrigin;
}

/** Says why a key has its value. @throws AppError `usage.invalid` for what is no key */
export function explainKey(loaded: LoadedConfig, key: string): ExplainedKey {
  const segments = parsePath(key);
  const node = segments === undefined ? undefined : nodeAt(segments);
  if (segments === undefined || node?.type !== "key") throw noSuchKey(key, segments);
  const path = pathText(segments);
  const byDefault: ConfigContribution = { value: node.key.default, origin: { layer: "default" } };
  const settled: SettledKey = loaded.keys.get(path) ?? { value: byDefault.value, layers: [byDefault] };
  return {
    key: path,
    about: node.key.about,
    accepts: expectation(node.key.type),
    choices: choicesOf(node.key.type),
    value: maskValue(node.key, settled.value),
    origin: settled.layers.at(-1)?.origin ?? byDefault.origin,
    layers: settled.layers.map(({ value, origin }) => ({ value: maskValue(node.key, value), origin })),
    joins: node.key.joins === true,
    ...(settled.locked === undefined ? {} : { locked: settled.locked }),
  };
}

function choicesOf(type: ConfigType): readonly string[] {
  if (type.type === "choice") return type.choices;
  return type.type === "boolean" ? ["true", "false"] : [];
}

/** What is wrong with a name that is no key's. */
export function noSuchKey(key: string, segments: ConfigSegments | undefined): AppError {
  const hint = "`capstan config show` lists all keys.";
  if (segments === undefined) return new AppError("usage.invalid", `${quoteName(key)} is not a key`, { hint });
  const node = nodeAt(segments);
  if (node?.type === "table") {
    const names = [...node.children.keys()].map((name) => (name === "*" ? "NAME" : name)).join(", ");
    return new AppError("usage.invalid", `${quoteName(key)} is a table; it has ${names}`, { hint });
  }
  const known = segments.findLastIndex((_, index) => nodeAt(segments.slice(0, index + 1)) !== undefined) + 1;
  const above = nodeAt(segments.slice(0, known));
  const children = above?.type === "table" ? above.children : keyTree;
  const text = unknownKey(segments.slice(0, known), segments[known] ?? key, children);
  return new AppError("usage.invalid", text, { hint });
}
