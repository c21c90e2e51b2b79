import { isJsonObject } from "@capstan/protocol";
import { createTextComparer, type TextComparer } from "./compare-texts.ts";

/** Fields of the whole request that name a user, a session or a machine, not what is asked. */
const volatileFields: ReadonlySet<string> = new Set(["metadata", "user", "safety_identifier", "prompt_cache_key"]);
/** Marks for the vendor's cache: they change the price, not the answer. */
const cacheMark = "cache_control";
/** Short words that say what something is. */
const shapeFields: ReadonlySet<string | number | undefined> = new Set(["type", "role", "name", "model"]);
/** Enough to recognise a text, not enough to flood an error message. */
const quotedLength = 120;

/**
 * Compares a request's body with the recorded one: first its shape (how many messages, of which roles, which tools), so that
 * the message names the cause, then everything. Left out: fields that name a user or a session, cache marks, and inside
 * texts what no two runs share (dates, durations, directories, ids; see `compare-texts.ts`).
 * @returns the first difference, or `undefined`
 */
export function compareBodies(recorded: unknown, came: unknown): string | undefined {
  const comparer = createTextComparer(recorded, came);
  return (
    compare(recorded, came, [], { ...comparer, isShape: true }) ??
    compare(recorded, came, [], { ...comparer, isShape: false })
  );
}

interface Comparison extends TextComparer {
  readonly isShape: boolean;
}

type Path = readonly (string | number)[];

function compare(recorded: unknown, came: unknown, path: Path, comparison: Comparison): string | undefined {
  if (Array.isArray(recorded) && Array.isArray(came)) return compareLists(recorded, came, path, comparison);
  if (isJsonObject(recorded) && isJsonObject(came)) return compareObjects(recorded, came, path, comparison);
  if (typeof recorded === "string" && typeof came === "string") {
    const counts = !comparison.isShape || shapeFields.has(path.at(-1));
    return !counts || comparison.isSame(recorded, came) ? undefined : differs(recorded, came, path);
  }
  return recorded === came || (comparison.isShape && isPlain(recorded) && isPlain(came))
    ? undefined
    : differs(recorded, came, path);
}

function compareLists(
  recorded: readonly unknown[],
  came: readonly unknown[],
  path: Path,
  comparison: Comparison,
): string | undefined {
  if (recorded.length !== came.length) {
    const names = comparison.isShape ? namesOf(recorded, came) : "";
    return `${pathText(path)}: ${recorded.length} were recorded, ${came.length} came${names}`;
  }
  return first(recorded.keys(), (at) => compare(recorded[at], came[at], [...path, at], comparison));
}

function compareObjects(recorded: object, came: object, path: Path, comparison: Comparison): string | undefined {
  const names = new Set([...Object.keys(recorded), ...Object.keys(came)]);
  return first(names, (name) => {
    if (name === cacheMark || (path.length === 0 && volatileFields.has(name))) return undefined;
    const at = [...path, name];
    if (!Object.hasOwn(came, name)) return `${pathText(at)}: was recorded, but did not come`;
    if (!Object.hasOwn(recorded, name)) return `${pathText(at)}: came, but was not recorded`;
    return compare(Reflect.get(recorded, name), Reflect.get(came, name), at, comparison);
  });
}

function first<Item>(items: Iterable<Item>, look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Which named things, such as tools, there are on one side only. */
function namesOf(recorded: readonly unknown[], came: readonly unknown[]): string {
  const [before, now] = [new Set(recorded.flatMap(nameOf)), new Set(came.flatMap(nameOf))];
  const missing = [...before].filter((name) => !now.has(name));
  const added = [...now].filter((name) => !before.has(name));
  const words = [
    ...(missing.length === 0 ? [] : [`without ${missing.join(", ")}`]),
    ...(added.length === 0 ? [] : [`with ${added.join(", ")}`]),
  ];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function nameOf(item: unknown): readonly string[] {
  if (!isJsonObject(item)) return [];
  const name = item["name"] ?? (isJsonObject(item["function"]) ? item["function"]["name"] : undefined);
  return typeof name === "string" ? [name] : [];
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function differs(recorded: unknown, came: unknown, path: Path): string {
  if (typeof recorded === "string" && typeof came === "string") {
    const start = Math.max(0, firstDifference(recorded, came) - 20);
    return `${pathText(path)}: ${quote(recorded.slice(start))} was recorded, ${quote(came.slice(start))} came`;
  }
  return `${pathText(path)}: ${quote(recorded)} was recorded, ${quote(came)} came`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text;
}

function pathText(path: Path): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  return text.replace(/^\./, "") || "the body";
}
