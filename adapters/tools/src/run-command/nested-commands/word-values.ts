import type { CommandArgument, Word, WordPart } from "unbash";
import { maxWordCharacters } from "./limits.ts";

/** What a script has put into its variables so far, as far as that is plain text. */
export type Variables = Map<string, string>;

/**
 * A word as the program would receive it: quotes gone, variables that the script itself set put in. What nobody can know
 * beforehand stays as written.
 */
export function valueOf(word: CommandArgument, variables: Variables): string {
  if (word.type === "Word") return valueOfWord(word, variables);
  const value = word.value.type === "Word" ? valueOfWord(word.value, variables) : "()";
  return `${word.name}${word.append === true ? "+" : ""}=${value}`;
}

/** The words that one word becomes: `{rm,-rf,x}` is three. */
export function wordsOf(word: CommandArgument, variables: Variables): readonly string[] {
  const [only, ...others] = word.type === "Word" ? (word.parts ?? []) : [];
  const inBraces =
    only?.type === "BraceExpansion" && others.length === 0 ? /^\{([^{}]*,[^{}]*)\}$/.exec(only.text) : null;
  if (inBraces?.[1] !== undefined) return inBraces[1].split(",").map((item) => item.replace(/["'\\]/g, ""));
  const value = valueOf(word, variables);
  // What a variable holds is cut at blanks where it stands without quotes.
  const isSplit = word.type === "Word" && word.parts?.some((part) => isBareVariable(part)) === true;
  return isSplit ? value.split(/[ \t\n]+/).filter((piece) => piece !== "") : [value];
}

function valueOfWord(word: Word, variables: Variables): string {
  if (word.parts === undefined) return word.value;
  return valueOfParts(word.parts, variables);
}

function valueOfParts(parts: readonly WordPart[], variables: Variables): string {
  let text = "";
  for (const part of parts) {
    text += valueOfPart(part, variables);
    if (text.length > maxWordCharacters) return text.slice(0, maxWordCharacters);
  }
  return text;
}

function valueOfPart(part: WordPart, variables: Variables): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return valueOfParts(part.parts, variables);
    case "SimpleExpansion":
      return variables.get(part.text.slice(1)) ?? (part.text === "$IFS" ? " " : part.text);
    case "ParameterExpansion":
      return valueOfParameter(part, variables);
    default:
      return part.text;
  }
}

function valueOfParameter(part: Extract<WordPart, { type: "ParameterExpansion" }>, variables: Variables): string {
  const known = variables.get(part.parameter);
  const { operation } = part;
  if (operation?.type === "Default" && /^:?[-=]$/.test(operation.operator)) {
    return known ?? valueOfWord(operation.operand, variables);
  }
  if (operation?.type === "Default" && /^:?\+$/.test(operation.operator)) {
    return valueOfWord(operation.operand, variables);
  }
  if (operation !== undefined || part.prefix !== undefined || part.index !== undefined) return part.text;
  return known ?? (part.parameter === "IFS" ? " " : part.text);
}

function isBareVariable(part: WordPart): boolean {
  return part.type === "SimpleExpansion" || part.type === "ParameterExpansion";
}
