import { isJsonObject } from "@capstan/protocol";
import { isReservedName } from "./check-value.ts";
import { maxWarningsPerFile } from "./config-limits.ts";
import { type ConfigOrigin, placeOf } from "./config-origin.ts";
import { configKeys } from "./keys/config-keys.ts";
import type { ConfigKey } from "./keys/config-key.ts";
import { type ConfigSegments, pathText } from "./keys/config-path.ts";
import { childOf, type KeyNode, keyTree, nodeAt } from "./keys/key-tree.ts";
import { otherKeys } from "./keys/other-keys.ts";
import { nearestName } from "./nearest-name.ts";
import { quoteName } from "./quote.ts";

/** A value somebody gave to a key; not checked yet. */
export interface Setting {
  readonly segments: ConfigSegments;
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly origin: ConfigOrigin;
  /** Another name under which it was written. */
  readonly written?: ConfigSegments;
  /** It has no effect: why, as the end of a sentence. */
  readonly notice?: string;
}

/** What a table sets, and messages about what is no key of ours. */
export interface ReadSettings {
  readonly settings: readonly Setting[];
  readonly misplaced: readonly string[];
}

/** Finds the keys in a table of any source. `originOf` says where the value at a path came from. */
export function readSettings(
  values: Readonly<Record<string, unknown>>,
  originOf: (segments: ConfigSegments) => ConfigOrigin,
): ReadSettings {
  const settings: Setting[] = [];
  const misplaced: string[] = [];
  readTable({ children: keyTree, values, at: [] });
  return { settings, misplaced };

  function readTable({ children, values: table, at }: TableAt): void {
    for (const [name, value] of Object.entries(table)) {
      const segments = [...at, name];
      const node = isReservedName(name) ? undefined : childOf(children, name);
      const other = node === undefined ? otherSetting(segments, value, originOf) : undefined;
      if (other !== undefined) settings.push(...other);
      else if (node?.type === "key") {
        settings.push({ segments, key: node.key, value, origin: originOf(segments) });
      } else if (node === undefined) {
        // A suggestion for what will not be shown would only cost time: a hostile file has thousands.
        const suggested = misplaced.length < maxWarningsPerFile;
        const text = suggested ? unknownKey(at, name, children) : `unknown key ${quoteName(pathText(segments))}`;
        misplaced.push(`${placeOf(originOf(segments))}: ${text}`);
      } else if (isJsonObject(value)) {
        readTable({ children: node.children, values: value, at: segments });
      } else {
        misplaced.push(`${placeOf(originOf(segments))}: ${quoteName(pathText(segments))}: expected a table`);
      }
    }
  }
}

/** What a key of another's configuration means; `undefined`: it is none. */
function otherSetting(
  at: ConfigSegments,
  value: unknown,
  originOf: (segments: ConfigSegments) => ConfigOrigin,
): readonly Setting[] | undefined {
  const other = otherKeys.get(pathText(at));
  if (other === undefined) {
    const isTable = isJsonObject(value) && [...otherKeys.keys()].some((path) => path.startsWith(`${pathText(at)}.`));
    const inside = isTable
      ? Object.entries(value).map(([name, item]) => otherSetting([...at, name], item, originOf))
      : [];
    return isTable && inside.every((settings) => settings !== undefined) ? inside.flat() : undefined;
  }
  const origin = originOf(at);
  if (other.type === "without-effect")
    return [{ segments: at, key: { ...other.key, about: other.notice }, value, origin, notice: other.notice }];
  const segments = other.path.split(".");
  const node = nodeAt(segments);
  return node?.type === "key" ? [{ segments, key: node.key, value, origin, written: at }] : undefined;
}

/** The sentence about a name that is no key: with the key that was probably meant. */
export function unknownKey(at: ConfigSegments, name: string, children: ReadonlyMap<string, KeyNode>): string {
  const sibling = nearestName(name, [...children.keys(), ...(at.length === 0 ? ["presets"] : [])]);
  const meant = sibling === undefined || sibling === "*" ? elsewhere(at, name) : pathText([...at, sibling]);
  const path = quoteName(pathText([...at, name]));
  return `unknown key ${path}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

interface TableAt {
  readonly children: ReadonlyMap<string, KeyNode>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly at: ConfigSegments;
}

/** A key of that name in another table: tables with names of the user's are not taken for each other. */
function elsewhere([table]: ConfigSegments, name: string): string | undefined {
  return Object.keys(configKeys)
    .find((path) => path.endsWith(`.${name}`) && (!path.includes("*") || path.startsWith(table ?? "")))
    ?.replaceAll("*", "NAME");
}
