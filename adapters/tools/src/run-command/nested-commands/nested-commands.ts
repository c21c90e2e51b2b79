import { type CommandForm, messageOf, type NestedCommand, unreachable } from "@capstan/protocol";
import { FoundCommands } from "./found-commands.ts";
import { maxOpenings, maxWalkedCharacters, maxWrapperDepth } from "./limits.ts";
import { startedBy } from "./started-by.ts";
import { type Parser, ScriptWalk } from "./walk-script.ts";

export interface NestedCommands {
  /** In the order they were found; bounded in number and length. */
  readonly commands: readonly NestedCommand[];
  /** Whether everything was read. What was not is for the gatekeeper's scan of the raw text, which leaves nothing out. */
  readonly complete: boolean;
}

/**
 * Every command that a tolerant reading finds in a command: its own, those in substitutions, branches, functions and
 * here-documents, and those started by wrappers (`sudo`, `xargs`, `find -exec`, `sh -c`, `eval`, …), however deep. For rules
 * that restrict and for explanations: it finds what may run, not what will, and nothing it misses makes a command harmless.
 * Never throws.
 */
export async function nestedCommands(form: CommandForm): Promise<NestedCommands> {
  const found = new FoundCommands();
  try {
    const parser: Parser = await import("unbash");
    new Search(parser, found).start(form);
  } catch (error) {
    // A parser that gives up on some text must not stop what has a scan of its own.
    if (messageOf(error) !== "") found.complete = false;
  }
  return { commands: found.commands, complete: found.complete };
}

class Search {
  readonly #parser: Parser;
  readonly #found: FoundCommands;
  /** Scripts still to be read. */
  readonly #scripts: { readonly script: string; readonly via: string | undefined; readonly depth: number }[] = [];

  constructor(parser: Parser, found: FoundCommands) {
    this.#parser = parser;
    this.#found = found;
  }

  start(form: CommandForm): void {
    switch (form.type) {
      case "argv":
        this.#command(form.argv, undefined, 0);
        break;
      case "script":
        this.#later(form.script, undefined, 0);
        break;
      default:
        unreachable(form);
    }
    // Each comes from a part of another that is parsed once, and what is parsed in all has a bound.
    for (let next = this.#scripts.shift(); next !== undefined; next = this.#scripts.shift()) {
      const { script, via, depth } = next;
      const visitor = {
        onCommand: (words: readonly string[], how: string | undefined) => this.#command(words, how, depth),
        onScript: (text: string, how: string) => this.#later(text, how, depth + 1),
      };
      new ScriptWalk(this.#parser, visitor, this.#found).walk(this.#parser.parse(script), via);
    }
  }

  #later(text: string, via: string | undefined, depth: number): void {
    const script = headOf(text);
    if (script.length < text.length || depth > maxWrapperDepth) this.#found.complete = false;
    if (depth <= maxWrapperDepth && this.#found.mayParse(script.length)) this.#scripts.push({ script, via, depth });
  }

  #command(words: readonly string[], via: string | undefined, depth: number): void {
    if (words.length === 0 || !this.#found.add(words, via)) return;
    if (depth >= maxWrapperDepth) {
      this.#found.complete = false;
      return;
    }
    for (const started of startedBy(words)) {
      if (started.type === "script") this.#later(started.script, started.via, depth + 1);
      else this.#command(started.words, started.via, depth + 1);
    }
  }
}

/** As much of a text as is walked. */
function headOf(text: string): string {
  const head = text.slice(0, maxWalkedCharacters);
  const openings = head.matchAll(/\$[({['"]|`|[<>(]\(|\[\[/g);
  let count = 0;
  for (const { index } of openings) {
    count += 1;
    if (count > maxOpenings) return head.slice(0, index);
  }
  return head;
}
