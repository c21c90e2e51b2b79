import { unreachable } from "@capstan/protocol";
import { maxPatternCharacters, maxRegexSteps } from "../limits.ts";
import { type CharacterTest, isWordCharacter } from "./character-set.ts";
import { parseRegex, type RegexNode, type RegexPlace } from "./parse-regex.ts";

/**
 * A regular expression that is followed in all its ways at once, so that no text and no pattern makes it slow: time grows with
 * the length of the text times the length of the pattern, never faster.
 */
export interface Regex {
  readonly source: string;
  readonly steps: readonly Step[];
  /** Letters that every match holds: most texts do not, and need not be followed. */
  readonly needs: string;
}

type Step =
  | { readonly type: "one"; readonly test: CharacterTest }
  | { readonly type: "place"; readonly place: RegexPlace }
  /** Continues at both places. */
  | { readonly type: "fork"; readonly first: number; readonly second: number }
  | { readonly type: "jump"; readonly to: number }
  | { readonly type: "found" };

/** Reads a regular expression, or says what is wrong with it. */
export function compileRegex(source: string): Regex | { readonly problem: string } {
  if (source === "") return { problem: "the regular expression is empty" };
  if (source.length > maxPatternCharacters)
    return { problem: `the pattern is over ${maxPatternCharacters} characters` };
  const node = parseRegex(source);
  if ("problem" in node) return node;
  const steps: Step[] = [];
  if (!addSteps(node, steps)) return { problem: `its repeats make more than ${maxRegexSteps} steps` };
  return { source, steps: [...steps, { type: "found" }], needs: longestLiteral(node) };
}

/** Whether it matches somewhere in a text. */
export function occursInText(regex: Regex, text: string): boolean {
  return text.includes(regex.needs) && follow(regex, text, true);
}

/** Whether it matches from the beginning of a text; what comes after makes no difference. */
export function beginsText(regex: Regex, text: string): boolean {
  return text.includes(regex.needs) && follow(regex, text, false);
}

/** The longest run of characters that stand one after the other in every match. */
function longestLiteral(node: RegexNode): string {
  const parts = node.type === "sequence" ? node.parts : [node];
  let [longest, run] = ["", ""];
  for (const part of parts) {
    const inner = part.type === "sequence" ? longestLiteral(part) : "";
    if (inner.length > longest.length) longest = inner;
    // A place takes no character, so the run continues over it.
    if (part.type === "one" && part.literal !== undefined) run += part.literal;
    else if (part.type !== "place") run = "";
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** @returns false when there would be too many */
function addSteps(node: RegexNode, steps: Step[]): boolean {
  if (steps.length > maxRegexSteps) return false;
  switch (node.type) {
    case "one":
    case "place":
      steps.push(node);
      return true;
    case "sequence":
      return node.parts.every((part) => addSteps(part, steps));
    case "either":
      return addBranches(node.branches, steps);
    case "repeat":
      return addRepeat(node, steps);
    default:
      return unreachable(node);
  }
}

function addBranches(branches: readonly RegexNode[], steps: Step[]): boolean {
  const ends: number[] = [];
  for (const [index, branch] of branches.entries()) {
    const fork = steps.length;
    const isLast = index === branches.length - 1;
    if (!isLast) steps.push({ type: "found" });
    if (!addSteps(branch, steps)) return false;
    if (isLast) continue;
    ends.push(steps.length);
    steps.push({ type: "found" });
    steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
  }
  for (const end of ends) steps[end] = { type: "jump", to: steps.length };
  return true;
}

function addRepeat({ node, minimum, maximum }: RegexNode & { readonly type: "repeat" }, steps: Step[]): boolean {
  for (let count = 0; count < minimum; count += 1) if (!addSteps(node, steps)) return false;
  if (maximum === null) return addLoop(node, steps);
  for (let count = minimum; count < maximum; count += 1) {
    const fork = steps.length;
    steps.push({ type: "found" });
    if (!addSteps(node, steps)) return false;
    steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
  }
  return true;
}

function addLoop(node: RegexNode, steps: Step[]): boolean {
  const fork = steps.length;
  steps.push({ type: "found" });
  if (!addSteps(node, steps)) return false;
  steps.push({ type: "jump", to: fork });
  steps[fork] = { type: "fork", first: fork + 1, second: steps.length };
  return true;
}

/** The steps that wait for the next character; each is there once. */
class Waiting {
  readonly #steps: readonly Step[];
  readonly #seen: Uint32Array;
  #round = 0;
  #isFound = false;
  tests: CharacterTest[] = [];
  next: number[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#seen = new Uint32Array(steps.length);
  }

  clear(): void {
    this.#round += 1;
    this.tests = [];
    this.next = [];
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Adds a step and all that can be reached from it without a character. */
  add(start: number, around: Around): void {
    const open = [start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#seen[index] === this.#round) continue;
      this.#seen[index] = this.#round;
      const step = this.#steps[index];
      if (step === undefined) continue;
      this.#enter(step, index, { around, open });
      if (this.#isFound) return;
    }
  }

  #enter(step: Step, index: number, { around, open }: { readonly around: Around; readonly open: number[] }): void {
    switch (step.type) {
      case "one":
        this.tests.push(step.test);
        this.next.push(index + 1);
        return;
      case "place":
        if (holds(step.place, around)) open.push(index + 1);
        return;
      case "fork":
        open.push(step.second, step.first);
        return;
      case "jump":
        open.push(step.to);
        return;
      case "found":
        this.#isFound = true;
    }
  }
}

/** The characters on both sides of a place, and the one after the next; -1: none. */
interface Around {
  readonly before: number;
  readonly after: number;
  readonly beyond: number;
}

function holds(place: RegexPlace, { before, after, beyond }: Around): boolean {
  switch (place) {
    case "start":
      return before === -1;
    case "end":
      // A last line break is not counted.
      return after === -1 || (after === 10 && beyond === -1);
    case "boundary":
      return isWord(before) !== isWord(after);
    case "no-boundary":
      return isWord(before) === isWord(after);
    default:
      return unreachable(place);
  }
}

function isWord(code: number): boolean {
  return code !== -1 && isWordCharacter(code);
}

function follow({ steps }: Regex, text: string, anywhere: boolean): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const waiting = new Waiting(steps);
  let reached: readonly number[] = [0];
  for (let index = 0; ; index += 1) {
    waiting.clear();
    const around = { before: codes[index - 1] ?? -1, after: codes[index] ?? -1, beyond: codes[index + 1] ?? -1 };
    for (const step of reached) waiting.add(step, around);
    if (waiting.isFound) return true;
    if (index === codes.length || (waiting.tests.length === 0 && !anywhere)) return false;
    const { tests, next } = waiting;
    const going = next.filter((_, position) => tests[position]?.(around.after) === true);
    reached = anywhere ? [...going, 0] : going;
  }
}
