import { type LexedScript, lexScript } from "../../core/policy/src/commands/lexer.ts";

/** Reads a script as the lexer of the engine does, or says why it does not. */
export type Lexer = (script: string) => LexedScript;

/** A lexer that accepts one thing too many: the fuzzer must catch each of them. */
export interface WrongLexer {
  readonly name: string;
  readonly lexer: Lexer;
}

/** A character that no generated script has, and that the real lexer takes for a letter. */
const stand = "ZQZ";

export const wrongLexers: readonly WrongLexer[] = [
  asLetter("comment", /#/g),
  asLetter("tilde", /~/g),
  asLetter("equals-command", /(?<=[ ;|&\n])=(?=k)/g),
  asLetter("wildcard", /\*/g),
  asLetter("brace", /[{}]/g),
  asLetter("backslash", /\\/g),
  asLetter("variable", /\$/g),
  asLetter("tab", /\t/g),
  replaced("carriage-return", /\r/g, " "),
  replaced("far-blank", /[\u00a0\u2028\u3000]/g, " "),
  replaced("double-semicolon", /;;/g, ";"),
  replaced("background", /(?<!&)&(?!&)/g, ";"),
  replaced("assignment", /^[a-z_]+=/, stand),
  replaced("modifier", /^(?:time|noglob|nocorrect)(?= )/, stand),
  replaced("declaration", /^(?:export|typeset)(?= )/, stand),
  replaced("job", /^%/, stand),
  replaced("empty-quotes", /(?:''|"")=/g, stand),
];

/** The real lexer, but that what `pattern` finds counts as a part of a word. */
function asLetter(name: string, pattern: RegExp): WrongLexer {
  return {
    name,
    lexer: (script) => {
      const found = script.match(pattern) ?? [];
      const lexed = lexScript(script.replace(pattern, stand));
      if (lexed.type === "opaque") return lexed;
      let next = 0;
      const restore = (word: string): string => word.replaceAll(stand, () => found[next++] ?? stand);
      return { type: "plain", commands: lexed.commands.map((words) => words.map(restore)) };
    },
  };
}

/** The real lexer, given another text in place of what `pattern` finds. */
function replaced(name: string, pattern: RegExp, by: string): WrongLexer {
  return { name, lexer: (script) => lexScript(script.replace(pattern, by)) };
}
