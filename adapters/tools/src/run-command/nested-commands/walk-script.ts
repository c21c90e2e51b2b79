import type { Command, Redirection, SyntaxNode } from "unbash";
import type { FoundCommands } from "./found-commands.ts";
import { maxSyntaxDepth, maxVisitedNodes } from "./limits.ts";
import { programName, readsScript } from "./started-by.ts";
import { valueOf, type Variables, wordsOf } from "./word-values.ts";

/** What walking needs of the parser, which is loaded late. */
export interface Parser {
  readonly parse: (source: string) => SyntaxNode;
  readonly forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;
}

/** Called with each command, and of each text that a shell among them would read as a script. */
export interface Visitor {
  readonly onCommand: (words: readonly string[], via: string | undefined) => void;
  readonly onScript: (script: string, via: string) => void;
}

/** Goes through all of a script: every branch, loop, function, substitution and here-document in it. */
export class ScriptWalk {
  readonly #parser: Parser;
  readonly #visitor: Visitor;
  readonly #found: FoundCommands;
  readonly #variables: Variables = new Map();
  #visited = 0;

  constructor(parser: Parser, visitor: Visitor, found: FoundCommands) {
    this.#parser = parser;
    this.#visitor = visitor;
    this.#found = found;
  }

  walk(node: SyntaxNode, via: string | undefined, depth = 0): void {
    this.#visited += 1;
    if (this.#visited > maxVisitedNodes || depth > maxSyntaxDepth) {
      this.#found.complete = false;
      return;
    }
    const inside = this.#look(node, via);
    this.#parser.forEachChild(node, (child) => this.walk(child, inside, depth + 1));
  }

  /** @returns how what lies in the node is reached */
  #look(node: SyntaxNode, via: string | undefined): string | undefined {
    switch (node.type) {
      case "Script":
        if ("errors" in node && (node.errors?.length ?? 0) > 0) this.#found.complete = false;
        return via;
      case "Assignment":
        if (node.value.type === "Word") this.#variables.set(node.name, valueOf(node.value, this.#variables));
        return via;
      case "Command":
        this.#command(node, via);
        return via;
      case "Pipeline":
        this.#pipedScripts(node.commands);
        return via;
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
        return "substitution";
      case "ProcessSubstitution":
        return "process substitution";
      case "Function":
        return "function";
      case "Coproc":
        return "coproc";
      default:
        return via;
    }
  }

  #command(node: Command, via: string | undefined): void {
    if (node.name === undefined) return;
    const words = this.#wordsOf(node);
    if (/[$`*?[{~]/.test(words[0] ?? "$")) this.#found.complete = false;
    this.#visitor.onCommand(words, via);
    if (!readsScript(words)) return;
    for (const text of node.redirects.flatMap((redirect) => this.#textsOf(redirect))) {
      this.#visitor.onScript(text, programName(words[0] ?? ""));
    }
  }

  #wordsOf(node: Command): readonly string[] {
    const all = node.name === undefined ? node.args : [node.name, ...node.args];
    return all.flatMap((word) => wordsOf(word, this.#variables));
  }

  /** `echo 'rm x' | sh`: what is written into a shell is a script. */
  #pipedScripts(commands: readonly SyntaxNode[]): void {
    const words = commands.map((command) => (command.type === "Command" ? this.#wordsOf(command) : []));
    const reader = words.findIndex((list) => readsScript(list));
    if (reader < 1) return;
    commands.slice(0, reader).forEach((command, index) => {
      const [name = "", ...args] = words[index] ?? [];
      const texts = command.type === "Command" ? command.redirects.flatMap((one) => this.#textsOf(one)) : [];
      if (/^(?:echo|print|printf)$/.test(name)) texts.push(args.filter((word) => !/^-[neErR]+$/.test(word)).join(" "));
      for (const text of texts) this.#visitor.onScript(text, `${words[reader]?.[0] ?? "sh"} through a pipe`);
    });
  }

  #textsOf(redirect: Redirection): string[] {
    if (redirect.type === "HereDoc") return [redirect.body.text];
    return redirect.type === "HereString" && redirect.target !== undefined
      ? [valueOf(redirect.target, this.#variables)]
      : [];
  }
}
