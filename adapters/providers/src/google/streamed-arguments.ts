import type { JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";

type Branch = Map<string, Tree> | Tree[];
type Tree = Branch | string | number | boolean | null;

/**
 * The arguments of a call that come as values with their places (`partialArgs`, each with a JSONPath such as
 * `$.files[0].path`). A text may come in several pieces under one place.
 */
export class StreamedArguments {
  private readonly root: Map<string, Tree> = new Map();
  private growing = "";
  private broken: string | undefined;

  /** Why the pieces make no arguments, if they do not. */
  get problem(): string | undefined {
    return this.broken;
  }

  add(pieces: JsonValue | undefined): void {
    for (const item of listOf(pieces)) {
      const piece = objectOf(item);
      if (piece !== undefined && this.broken === undefined) this.addPiece(piece);
    }
  }

  toJson(): string {
    return JSON.stringify(plain(this.root));
  }

  private addPiece(piece: JsonObject): void {
    const path = textOf(piece["jsonPath"]);
    const value = valueOf(piece);
    if (value === undefined) return;
    const steps = stepsOf(path);
    const last = steps?.pop();
    const branch = steps === undefined || last === undefined ? undefined : this.branchAt(steps, last);
    if (branch === undefined || last === undefined) {
      this.broken = `an argument's place cannot be read: ${path.slice(0, limits.toolNameChars)}`;
      return;
    }
    const before = this.growing === path ? read(branch, last) : undefined;
    write(branch, last, typeof before === "string" && typeof value === "string" ? before + value : value);
    this.growing = piece["willContinue"] === true ? path : "";
  }

  /** The branch that the last step leads out of, made on the way; `undefined`: something else stands in the way. */
  private branchAt(steps: readonly Step[], last: Step): Branch | undefined {
    let branch: Branch = this.root;
    for (const [at, step] of steps.entries()) {
      if (!fits(branch, step)) return undefined;
      const next: Tree = read(branch, step) ?? newBranch(steps[at + 1] ?? last);
      if (!isBranch(next)) return undefined;
      write(branch, step, next);
      branch = next;
    }
    return fits(branch, last) ? branch : undefined;
  }
}

type Step = string | number;

/** `$.a[0]['b']` as `a`, `0`, `b`. */
function stepsOf(path: string): Step[] | undefined {
  const step = /\.([^.[\]'"]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
  const steps: Step[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null || steps.length >= limits.jsonDepth) return undefined;
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? (single ?? double ?? "").replace(/\\(.)/g, "$1")) : Number(index));
  }
  return path.startsWith("$") && steps.length > 0 ? steps : undefined;
}

function valueOf(piece: JsonObject): Exclude<Tree, Branch> | undefined {
  const { stringValue, numberValue, boolValue, nullValue } = piece;
  if (typeof stringValue === "string") return stringValue;
  if (typeof numberValue === "number") return numberValue;
  if (typeof boolValue === "boolean") return boolValue;
  return nullValue === undefined ? undefined : null;
}

function isBranch(tree: Tree): tree is Branch {
  return Array.isArray(tree) || tree instanceof Map;
}

function newBranch(step: Step): Branch {
  return typeof step === "number" ? [] : new Map();
}

/** A list takes the place of an item it has, or the next one: whatever is further away leaves a gap. */
function fits(branch: Branch, step: Step): boolean {
  return Array.isArray(branch) ? typeof step === "number" && step <= branch.length : typeof step === "string";
}

function read(branch: Branch, step: Step): Tree | undefined {
  if (Array.isArray(branch)) return typeof step === "number" ? branch[step] : undefined;
  return typeof step === "string" ? branch.get(step) : undefined;
}

function write(branch: Branch, step: Step, value: Tree): void {
  if (Array.isArray(branch)) {
    if (typeof step === "number") branch[step] = value;
  } else if (typeof step === "string") branch.set(step, value);
}

function plain(tree: Tree): JsonValue {
  if (Array.isArray(tree)) return tree.map(plain);
  return tree instanceof Map ? Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)])) : tree;
}
