import type { SessionId, SessionSummary } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { costText } from "../transcript/spending-text.ts";
import { type OwnedSessions, stateOf, turnsText } from "./session-list.ts";
import { agoText } from "./time-text.ts";

const titleCharacters = 100;

/** A session in its tree; the root has depth 0. */
export interface TreeSession {
  readonly session: SessionSummary;
  readonly depth: number;
  /** Whether it is the last of its siblings, and so for each session above it, from the top. */
  readonly lasts: readonly boolean[];
}

/** A session and those that work for it, each before what works for it; siblings in the order in which they began. */
export function sessionTree(all: readonly SessionSummary[], root: SessionId): readonly TreeSession[] {
  const children = grouped(all);
  const walk = (session: SessionSummary, lasts: readonly boolean[]): readonly TreeSession[] => {
    const below = (children.get(session.id) ?? []).toSorted((one, other) => one.createdAt - other.createdAt);
    const own = { session, depth: lasts.length, lasts };
    return [own, ...below.flatMap((child, at) => walk(child, [...lasts, at === below.length - 1]))];
  };
  return all.filter(({ id }) => id === root).flatMap((session) => walk(session, []));
}

function grouped(all: readonly SessionSummary[]): ReadonlyMap<string, readonly SessionSummary[]> {
  const children = new Map<string, SessionSummary[]>();
  for (const session of all) {
    const { spawnedBy } = session;
    if (spawnedBy !== undefined)
      children.set(spawnedBy.sessionId, [...(children.get(spawnedBy.sessionId) ?? []), session]);
  }
  return children;
}

/** A session in its tree, as users and machines are shown it. */
export interface TreeEntry extends TreeSession {
  /** What stands in `sessions list` for it, too. */
  readonly state: string;
  /** What it cost, its agents included; `null`: the price of a call is not known. */
  readonly costUsd: number | null;
}

export function treeEntry(
  tree: TreeSession,
  { owned, costUsd }: { readonly owned: OwnedSessions; readonly costUsd: number | null },
): TreeEntry {
  return { ...tree, state: stateOf(tree.session, owned), costUsd };
}

/** @param now  in ms */
export function sessionTreeLines(tree: readonly TreeEntry[], now: number): readonly string[] {
  return tree.map(({ session, lasts, state, costUsd }) => {
    const { id, createdAt, turns } = session;
    const title = session.title === "" ? "(no words)" : inertLine(session.title, titleCharacters);
    const began = `began ${agoText(createdAt, now)}`;
    return `${branch(lasts)}${[title, state, began, turnsText(turns), costText(costUsd), id].join(" · ")}`;
  });
}

function branch(lasts: readonly boolean[]): string {
  const last = lasts.at(-1);
  if (last === undefined) return "";
  const above = lasts.slice(0, -1).map((isLast) => (isLast ? "   " : "│  "));
  return `${above.join("")}${last ? "└─ " : "├─ "}`;
}
