import type { Judgement } from "@capstan/protocol";
import { coversCommand } from "./command-pattern.ts";
import type { CommandRule, CommandRules } from "./command-rules.ts";
import { hiddenProgramIn } from "./hidden-programs.ts";
import { judgementByRule } from "./judgement-by-rule.ts";
import { maxScriptCharacters } from "./limits.ts";
import { looseWords } from "./loose-words.ts";
import { matchesPath, type PathPattern } from "./path-pattern.ts";
import { quoteCommand, quoteText } from "./quote-for-people.ts";
import { reachesSurface, type RestrictedSurface, surfaceOfCommand } from "./restricted-surface.ts";

/** What a restricting rule is held against: one understood command, or a whole text. */
export interface RestrictedSubject {
  /** As people see it in reasons. */
  readonly quoted: string;
  readonly surface: RestrictedSurface;
  /** Whether a path pattern speaks of something it names. */
  readonly names: (pattern: PathPattern) => boolean;
  /** It certainly only reads. */
  readonly onlyReads: boolean;
}

/** One command whose words are certain. */
export function commandSubject(words: readonly string[], rules: CommandRules, onlyReads: boolean): RestrictedSubject {
  const places = words.slice(1).flatMap(placesIn).map(rules.namesOf);
  return {
    quoted: quoteCommand(words),
    surface: surfaceOfCommand(words),
    names: (pattern) => [...rules.declaredNames, ...places].some((names) => matchesPath(pattern, names)),
    onlyReads,
  };
}

/** A script nobody understood. A long one is only searched for the letters of a path pattern: that finds more, in linear time. */
export function textSubject(text: string, rules: CommandRules): RestrictedSubject {
  const isLong = text.length > maxScriptCharacters;
  const words = looseWords(text);
  const searched = `${rules.cwd.toLowerCase()}/\0${words}`;
  const places = isLong ? [] : wordsAsWritten(text).map(rules.namesOf);
  return {
    quoted: quoteText(text),
    surface: { commands: [], texts: [words] },
    names: (pattern) =>
      (isLong && searched.includes(longestLiteral(pattern.text).toLowerCase())) ||
      [...rules.declaredNames, ...places].some((names) => matchesPath(pattern, names)),
    onlyReads: false,
  };
}

/** The judgement of the first deny rule that applies. */
export function denialOf(subject: RestrictedSubject, rules: CommandRules): Judgement | undefined {
  const own = rules.own.find((candidate) => candidate.rule.verdict === "deny" && restricts(candidate, subject));
  const file = rules.files.find(
    ({ rule, path, protectsReading }) => rule.verdict === "deny" && protectsReading && subject.names(path),
  );
  const rule = own?.rule ?? file?.rule;
  return rule === undefined ? undefined : judgementByRule(rule, subject.quoted);
}

/** The judgement of the first ask rule that applies; a rule against writing asks, where nobody can tell what is written. */
export function questionOf(subject: RestrictedSubject, rules: CommandRules): Judgement | undefined {
  const own = rules.own.find((candidate) => candidate.rule.verdict === "ask" && restricts(candidate, subject));
  const file = rules.files.find(({ rule, path, protectsReading }) => {
    const applies = protectsReading ? rule.verdict === "ask" : !subject.onlyReads;
    return applies && subject.names(path);
  });
  const rule = own?.rule ?? file?.rule;
  if (rule === undefined) return undefined;
  const asking = judgementByRule({ ...rule, verdict: "ask" }, subject.quoted);
  return { ...asking, rule };
}

/** The judgement of an allow rule that covers a whole command; a wide pattern does not cover what turns a program into another. */
export function allowanceOf(words: readonly string[], rules: CommandRules): Judgement | undefined {
  const allows = rules.own.filter(({ rule, path }) => rule.verdict === "allow" && path === undefined);
  const found = allows.find(({ command }) => coversCommand(command, words) && !oversteps(command, words));
  return found === undefined ? undefined : judgementByRule(found.rule, quoteCommand(words));
}

/** The judgement of an allow rule that spells out the whole script. */
export function exactAllowanceOf(script: string, rules: CommandRules): Judgement | undefined {
  const text = script.trim();
  const found = rules.own.find(
    ({ rule, path }) => rule.verdict === "allow" && path === undefined && rule.command?.trim() === text,
  );
  return found === undefined ? undefined : judgementByRule(found.rule, quoteText(text));
}

function restricts({ command, path }: CommandRule, subject: RestrictedSubject): boolean {
  return reachesSurface(command, subject.surface) && (path === undefined || subject.names(path));
}

function oversteps(command: CommandRule["command"], words: readonly string[]): boolean {
  if (command.type !== "words" || command.pieces.length === 1) return false;
  const hidden = hiddenProgramIn(words);
  return hidden !== undefined && !command.text.includes(hidden.replace(/=.*$/s, ""));
}

/** Words of an opaque text that may be paths, cut at shell syntax and at what sets a path off from an option. */
function wordsAsWritten(text: string): readonly string[] {
  const bare = text.replace(/\\\r?\n|["'\\]/g, "");
  return [...new Set([...bare.split(/[\s;&|<>(){}$`]+/), ...bare.split(/[\s;&|<>(){}$`,=:@]+/)])].filter(
    (word) => word !== "",
  );
}

/** Where in a word a path may stand: the word, the value of `--option=…`, what follows `-o`, what follows `@`. */
function placesIn(word: string): readonly string[] {
  const equals = word.indexOf("=");
  const value = equals === -1 ? [] : [word.slice(equals + 1)];
  const joined = /^-[A-Za-z]/.test(word) || word.startsWith("@") ? [word.slice(word.startsWith("@") ? 1 : 2)] : [];
  return [word, ...value, ...joined].filter((place) => place !== "");
}

function longestLiteral(pattern: string): string {
  const runs = pattern.split(/[*?[\]{},/]+/);
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}
