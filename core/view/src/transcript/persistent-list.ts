/**
 * A list that never changes. A list with one item more, or with one item replaced, shares everything but one path with the old
 * one, so that either costs the same for ten items and for a million. Plain JSON.
 */
export interface PersistentList<Item> {
  readonly length: number;
  /** Levels of branches above the leaves. */
  readonly height: number;
  readonly root: Node<Item>;
}

type Node<Item> =
  | { readonly type: "leaf"; readonly items: readonly Item[] }
  | { readonly type: "branch"; readonly nodes: readonly Node<Item>[] };

/** Items of a leaf, and branches of a branch. */
const width = 32;

export function emptyList<Item>(): PersistentList<Item> {
  return { length: 0, height: 0, root: { type: "leaf", items: [] } };
}

/** The item at a place; `undefined` beyond the ends. */
export function itemAt<Item>({ length, height, root }: PersistentList<Item>, at: number): Item | undefined {
  if (at < 0 || at >= length) return undefined;
  let node: Node<Item> | undefined = root;
  for (let level = height; node?.type === "branch"; level -= 1) node = node.nodes[slotOf(at, level)];
  return node?.items[at % width];
}

export function withAppended<Item>(list: PersistentList<Item>, item: Item): PersistentList<Item> {
  const { length, height, root } = list;
  if (length < width ** (height + 1)) return { ...list, length: length + 1, root: placed(root, height, length, item) };
  const nodes = [root, freshNode(height, item)];
  return { length: length + 1, height: height + 1, root: { type: "branch", nodes } };
}

/** The item at a place replaced; the list as it is where there is no such place. */
export function withItem<Item>(list: PersistentList<Item>, at: number, item: Item): PersistentList<Item> {
  if (at < 0 || at >= list.length) return list;
  return { ...list, root: placed(list.root, list.height, at, item) };
}

/** The first `length` items. */
export function shortened<Item>(list: PersistentList<Item>, length: number): PersistentList<Item> {
  return length >= list.length ? list : { ...list, length: Math.max(0, length) };
}

/** The list without what it can spare of the items before a place: whole leaves of them. All others keep their places. */
export function withoutItems<Item>(list: PersistentList<Item>, before: number): PersistentList<Item> {
  const root = spared(list.root, list.height, Math.min(before, list.length - 1));
  return root === list.root ? list : { ...list, root };
}

/** The items from a place on, in order. */
export function* itemsOf<Item>(list: PersistentList<Item>, from = 0): Generator<Item> {
  for (let at = Math.max(0, from); at < list.length; at += 1) {
    const item = itemAt(list, at);
    if (item !== undefined) yield item;
  }
}

/** @param before  a place within the node */
function spared<Item>(node: Node<Item>, height: number, before: number): Node<Item> {
  if (node.type === "leaf" || before <= 0) return node;
  const slot = slotOf(before, height);
  const nodes = node.nodes.map((child, at): Node<Item> => {
    if (at < slot) return { type: "leaf", items: [] };
    return at === slot ? spared(child, height - 1, before % width ** height) : child;
  });
  return { type: "branch", nodes };
}

/** What a shortened list still holds beyond its end is written over here. */
function placed<Item>(node: Node<Item>, height: number, at: number, item: Item): Node<Item> {
  if (node.type === "leaf") {
    const items = [...node.items];
    items[at % width] = item;
    return { type: "leaf", items };
  }
  const nodes = [...node.nodes];
  const slot = slotOf(at, height);
  const child = nodes[slot];
  nodes[slot] = child === undefined ? freshNode(height - 1, item) : placed(child, height - 1, at, item);
  return { type: "branch", nodes };
}

function freshNode<Item>(height: number, item: Item): Node<Item> {
  return height === 0 ? { type: "leaf", items: [item] } : { type: "branch", nodes: [freshNode(height - 1, item)] };
}

function slotOf(at: number, level: number): number {
  return Math.floor(at / width ** level) % width;
}
