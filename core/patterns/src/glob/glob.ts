import { AutomatonBuilder, type Examination, type State, type UnitTest } from "../automaton.ts";
import { type GlobPart, type GlobProblem, parseGlob } from "./glob-parts.ts";
import { atAnyDepth, withFolderItself, withoutEndSlash } from "./glob-reach.ts";

/**
 * A glob over paths. `*`, `?`, `[…]` stay inside one name; `**` as a whole name stands for any number of names, at the end for at least
 * one; `{a,b}` and `{1..3}` are alternatives; a backslash takes the next character as it is. A character is a code point. The work
 * for a path is at most the length of the pattern times that of the path, whatever is written.
 */
export interface Glob {
  /** @param path  names joined by "/", relative to where the pattern is anchored */
  readonly matches: (path: string) => boolean;
  /** Whether the path is matched, or a folder on the way to it. @param floor  length of the leading part whose folders do not count */
  readonly covers: (path: string, floor?: number) => boolean;
  /** What stands in every path that it matches; may be empty. */
  readonly letters: string;
  /** The same with the number of steps it took. */
  readonly examine: (path: string) => Examination;
}

export interface GlobOptions {
  /** Whether wildcards match a dot at the beginning of a name. */
  readonly dot: boolean;
  /** Changes the letters of the pattern as those of the paths were changed, so that their case and form do not matter. */
  readonly fold?: ((text: string) => string) | undefined;
  /** Alternatives without a slash, but for one at their end, count at any depth. */
  readonly anyDepth?: boolean;
  /** `folder/**` also matches the folder. */
  readonly folderItself?: boolean;
  /** A set also matches itself as it is written: `[id]` is a folder's name in many a project. */
  readonly literalSets?: boolean;
}

/** Reads a glob, or says why it cannot be read and what to write instead. */
export function compileGlob(pattern: string, options: GlobOptions): Glob | GlobProblem {
  const { dot, fold, literalSets = false } = options;
  const read = parseGlob(pattern, literalSets);
  if ("problem" in read) return read;
  const plain = fold === undefined ? read : foldParts(read, fold);
  const parts = reach(plain, options);
  const letters = longestLetters(plain);
  const builder = new AutomatonBuilder();
  const { accept, never } = builder;
  const compiler = new GlobCompiler(builder, dot);
  const start = compiler.sequence(parts, { start: accept, inside: accept, boundary: accept, absorb: never }).start;
  const automaton = builder.build(start);
  // Nearly every path lacks letters that the pattern demands, and that is seen at a glance.
  return {
    letters,
    matches: (path) => path.includes(letters) && automaton.examine(Array.from(path)).matches,
    covers: (path, floor = 0) => path.includes(letters) && automaton.examine(Array.from(path), floor).matches,
    examine: (path) => automaton.examine(Array.from(path)),
  };
}

function reach(parts: readonly GlobPart[], { anyDepth, folderItself }: GlobOptions): readonly GlobPart[] {
  const placed = anyDepth === true ? atAnyDepth(withoutEndSlash(parts)) : parts;
  return folderItself === true ? withFolderItself(placed) : placed;
}

/**
 * The states of what comes next, by what came before it in the pattern: the start of a name; something in a name; names that `**` took,
 * so that only a slash or the end may follow; no name that `**` took, so that the slash behind it stands for nothing.
 */
interface Places {
  readonly start: State;
  readonly inside: State;
  readonly boundary: State;
  readonly absorb: State;
}

/** From the last part to the first; each adds at most ten states. */
class GlobCompiler {
  readonly #builder: AutomatonBuilder;
  readonly #inName: UnitTest;
  readonly #anywhere: UnitTest;
  readonly #isHidden: UnitTest;

  constructor(builder: AutomatonBuilder, dot: boolean) {
    this.#builder = builder;
    this.#isHidden = (unit, startsName) => !dot && startsName && unit === ".";
    this.#anywhere = (unit, startsName) => !this.#isHidden(unit, startsName);
    this.#inName = (unit, startsName) => unit !== "/" && !this.#isHidden(unit, startsName);
  }

  sequence(parts: readonly GlobPart[], after: Places): Places {
    return parts.reduceRight((behind, part) => this.#part(part, behind), after);
  }

  #part(part: GlobPart, after: Places): Places {
    switch (part.type) {
      case "character":
        return this.#character(part.character, after);
      case "any-character":
        return this.#one(this.#inName, after);
      case "set":
        return this.#one((unit, starts) => this.#inName(unit, starts) && part.lists(unit) !== part.negated, after);
      case "any-characters":
        return this.#name(this.#builder.loop(this.#inName, after.inside));
      case "any-names":
        return this.#anyNames(after);
      case "slash":
        return this.#slash(after);
      case "choice":
        return this.#choice(part.options.map((option) => this.sequence(option, after)));
    }
  }

  #name(state: State): Places {
    const { never } = this.#builder;
    return { start: state, inside: state, boundary: never, absorb: never };
  }

  #one(test: UnitTest, after: Places): Places {
    return this.#name(this.#builder.one(test, after.inside));
  }

  /** A dot at the beginning of a name is matched where the pattern's name begins with it, and not behind a star that took nothing. */
  #character(character: string, after: Places): Places {
    const start = this.#builder.one((unit) => unit === character, after.inside);
    if (character !== ".") return this.#name(start);
    const inside = this.#builder.one((unit, starts) => unit === "." && !this.#isHidden(unit, starts), after.inside);
    return { ...this.#name(start), inside };
  }

  #anyNames(after: Places): Places {
    const inName = this.#builder.loop(this.#inName, after.inside);
    const names = this.#builder.one(this.#anywhere, this.#builder.loop(this.#anywhere, after.boundary));
    const start = this.#builder.fork(inName, this.#builder.fork(names, after.absorb));
    return { ...this.#name(inName), start };
  }

  #slash(after: Places): Places {
    const state = this.#builder.one((unit) => unit === "/", after.start);
    return { start: state, inside: state, boundary: state, absorb: after.start };
  }

  #choice(options: readonly Places[]): Places {
    const either = (place: keyof Places): State =>
      options.reduce((state, option) => this.#builder.fork(state, option[place]), this.#builder.never);
    return { start: either("start"), inside: either("inside"), boundary: either("boundary"), absorb: either("absorb") };
  }
}

/** Letters are folded run by run: a form may join several of them. */
function foldParts(parts: readonly GlobPart[], fold: (text: string) => string): readonly GlobPart[] {
  const folded: GlobPart[] = [];
  let run = "";
  const endRun = (): void => {
    for (const character of fold(run)) {
      folded.push(character === "/" ? { type: "slash" } : { type: "character", character });
    }
    run = "";
  };
  for (const part of parts) {
    if (part.type === "character") {
      run += part.character;
      continue;
    }
    endRun();
    folded.push(foldPart(part, fold));
  }
  endRun();
  return folded;
}

function foldPart(part: GlobPart, fold: (text: string) => string): GlobPart {
  switch (part.type) {
    case "choice":
      return { type: "choice", options: part.options.map((option) => foldParts(option, fold)) };
    case "set":
      return { ...part, lists: (unit) => spellings(unit).some((spelling) => part.lists(spelling)) };
    case "character":
    case "any-character":
    case "any-characters":
    case "any-names":
    case "slash":
      return part;
  }
}

function spellings(unit: string): readonly string[] {
  return [unit, unit.toLowerCase(), unit.toUpperCase()];
}

/** The longest run of letters that stands in every path the pattern matches. */
function longestLetters(parts: readonly GlobPart[]): string {
  let longest = "";
  let run = "";
  for (const part of parts) {
    run = part.type === "character" ? run + part.character : "";
    if (run.length > longest.length) longest = run;
  }
  return longest;
}
