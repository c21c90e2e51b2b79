import { maxScriptCharacters, maxScriptCommands } from "../limits.ts";

/** A script understood to the last character, or not at all. `why` completes the sentence "the script has …". */
export type LexedScript =
  | { readonly type: "plain"; readonly commands: readonly (readonly string[])[] }
  | { readonly type: "opaque"; readonly why: string };

/**
 * Reads the small part of shell language that every shell reads alike: plain words, quotes without expansion, and lists and
 * pipes of commands. Accepting little is the point: what is accepted runs exactly as read.
 * @returns the argument vectors in order, or what was not understood; linear in the length of the script
 */
export function lexScript(script: string): LexedScript {
  if (script.length > maxScriptCharacters) return opaque(`more than ${maxScriptCharacters} characters`);
  const commands: string[][] = [];
  let words: string[] = [];
  let operator: Operator = "\n";
  let position = 0;
  while (position < script.length) {
    const blank = matchAt(blanks, script, position);
    position += blank.length;
    if (position === script.length) break;
    const word = wordAt(script, position);
    if (word.length > 0) {
      words.push(word.text);
      position += word.length;
      continue;
    }
    const found = matchAt(operators, script, position);
    if (!isOperator(found)) return opaque(unsupportedAt(script, position));
    position += found.length;
    if (words.length === 0) {
      if (found !== "\n") return opaque(`\`${found}\` without a command before it`);
      continue;
    }
    const problem = problemOfName(words[0] ?? "");
    if (problem !== undefined) return opaque(problem);
    if (commands.push(words) > maxScriptCommands) return opaque(`more than ${maxScriptCommands} commands`);
    words = [];
    operator = found;
  }
  return finish(commands, words, operator);
}

/** Whether every character is printable ASCII, so that what a user reads is what runs. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

type Operator = "&&" | "||" | "|" | ";" | "\n";

const blanks = / */y;
const operators = /&&|\|\||\||;|\n/y;
const bareWord = /[A-Za-z0-9_@%+=:,./-]+/y;
const singleQuoted = /'[ -&(-~]*'/y;
// Printable ASCII but for ! " $ \ and the backtick.
const doubleQuoted = /"[ #%-[\]-_a-~]*"/y;

// Words of bash, zsh, ksh and POSIX sh that begin something else than a command, or whose arguments some of them read by rules
// of their own; and the two aliases that zsh has from the start. Found by `npm run attacks:lexer`.
const shellWords: ReadonlySet<string> = new Set(
  (
    "if then else elif fi for foreach select while until repeat do done case esac in end function time coproc nocorrect noglob " +
    "namespace declare export float integer local readonly typeset run-help which-command"
  ).split(" "),
);

function finish(commands: readonly (readonly string[])[], words: readonly string[], operator: Operator): LexedScript {
  if (words.length === 0) {
    if (operator === ";" || operator === "\n") {
      return commands.length === 0 ? opaque("nothing to run") : { type: "plain", commands };
    }
    return opaque(`\`${operator}\` without a command after it`);
  }
  const problem = problemOfName(words[0] ?? "");
  if (problem !== undefined) return opaque(problem);
  if (commands.length >= maxScriptCommands) return opaque(`more than ${maxScriptCommands} commands`);
  return { type: "plain", commands: [...commands, words] };
}

/** One word: bare and quoted pieces without a gap. `length` counts what it takes up in the script; 0: there is no word. */
function wordAt(script: string, start: number): { readonly text: string; readonly length: number } {
  let text = "";
  let position = start;
  for (;;) {
    const bare = matchAt(bareWord, script, position);
    const quoted =
      bare === "" ? matchAt(singleQuoted, script, position) || matchAt(doubleQuoted, script, position) : "";
    // A word that begins with = is a command's path to zsh, also behind empty quotes.
    if (text === "" && bare.startsWith("=")) return { text, length: 0 };
    if (bare === "" && quoted === "") return { text, length: position - start };
    text += bare === "" ? quoted.slice(1, -1) : bare;
    position += bare.length + quoted.length;
  }
}

function problemOfName(name: string): string | undefined {
  if (name === "") return "an empty command name";
  if (name.includes("=")) return "an assignment before the command";
  // `%1` is a job of the shell.
  if (name.startsWith("-") || name.startsWith("%")) return `a command name that begins with \`${name.charAt(0)}\``;
  return shellWords.has(name) ? `the shell word \`${name}\`` : undefined;
}

function unsupportedAt(script: string, position: number): string {
  const character = String.fromCodePoint(script.codePointAt(position) ?? 0);
  if (character !== "'" && character !== '"') return unsupportedName(character);
  const end = script.indexOf(character, position + 1);
  if (end === -1) return "a quote that is not closed";
  const allowed = character === "'" ? /[ -&(-~]/ : /[ #%-[\]-_a-~]/;
  const inside = Array.from(script.slice(position + 1, end)).find((candidate) => !allowed.test(candidate));
  return inside === undefined ? unsupportedName("=") : `${unsupportedName(inside)} inside quotes`;
}

function unsupportedName(character: string): string {
  const name = unsupportedCharacters.get(character);
  if (name !== undefined) return name;
  if (isPrintableAscii(character)) return `the character \`${character}\``;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `a character that is not printable ASCII (U+${code})`;
}

const unsupportedCharacters: ReadonlyMap<string, string> = new Map([
  ["$", "a variable or substitution"],
  ["`", "a command substitution"],
  ["<", "a redirection"],
  [">", "a redirection"],
  ["&", "a background job or a redirection"],
  ["(", "a subshell or function"],
  [")", "a subshell or function"],
  ["{", "a brace expansion or group"],
  ["}", "a brace expansion or group"],
  ["*", "a wildcard"],
  ["?", "a wildcard"],
  ["[", "a wildcard or test"],
  ["]", "a wildcard or test"],
  ["~", "a tilde"],
  ["\\", "a backslash"],
  ["#", "a comment"],
  ["!", "an exclamation mark"],
  ["=", "a word that begins with `=`"],
  ["\n", "a line break"],
]);

function isOperator(text: string): text is Operator {
  return text !== "";
}

function matchAt(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? "";
}

function opaque(why: string): LexedScript {
  return { type: "opaque", why };
}
