import { configKeys } from "./config-keys.ts";
import type { ConfigKey } from "./config-key.ts";
import type { ConfigSegments } from "./config-path.ts";

/** A key, or a table of further nodes; `*` among the children takes any name. */
export type KeyNode =
  | { readonly type: "key"; readonly key: ConfigKey }
  | { readonly type: "table"; readonly children: ReadonlyMap<string, KeyNode> };

/** The node under a name; `undefined` when nothing of that name can be configured. */
export function childOf(children: ReadonlyMap<string, KeyNode>, name: string): KeyNode | undefined {
  return children.get(name) ?? children.get("*");
}

/** The node at a path; `undefined` when there is none. */
export function nodeAt(segments: ConfigSegments): KeyNode | undefined {
  let node: KeyNode | undefined = { type: "table", children: keyTree };
  for (const segment of segments) {
    if (node?.type !== "table") return undefined;
    node = childOf(node.children, segment);
  }
  return node;
}

/** All keys, nested as in the file. */
export const keyTree: ReadonlyMap<string, KeyNode> = grow(
  Object.entries(configKeys).map(([path, key]) => ({ segments: path.split("."), key })),
);

interface Entry {
  readonly segments: ConfigSegments;
  readonly key: ConfigKey;
}

function grow(entries: readonly Entry[]): ReadonlyMap<string, KeyNode> {
  const groups = new Map<string, Entry[]>();
  for (const { segments, key } of entries) {
    const [name = "", ...rest] = segments;
    const group = groups.get(name) ?? [];
    groups.set(name, [...group, { segments: rest, key }]);
  }
  return new Map([...groups].map(([name, group]) => [name, nodeOf(group)]));
}

function nodeOf(group: readonly Entry[]): KeyNode {
  const [first] = group;
  if (first !== undefined && first.segments.length === 0) return { type: "key", key: first.key };
  return { type: "table", children: grow(group) };
}
