import { PatternText } from "@capstan/patterns";
import type { Judgement } from "@capstan/protocol";
import { coversCommand, joinWords } from "./command-pattern.ts";
import { type CommandRule, type CommandRules, type FileRule, withVerdict } from "./command-rules.ts";
import { fileWords, looksReading } from "../commands/file-words.ts";
import { takesText } from "../commands/reading-programs.ts";
import { withoutExclusions } from "../commands/exclusions.ts";
import { hiddenPrograms } from "../commands/hidden-programs.ts";
import { judgementByRule } from "../judge/judgement-by-rule.ts";
import { looseWords } from "./loose-words.ts";
import { mayName, type PathPattern, restrictsPath } from "./path-pattern.ts";
import { quoteCommand, quoteText } from "../quote-for-people.ts";
import { reachesSurface, type RestrictedSurface, surfaceOfCommand } from "./restricted-surface.ts";

/** What a restricting rule is held against: one understood command, or a whole text. */
export interface RestrictedSubject {
  /** As people see it in reasons. */
  readonly quoted: string;
  readonly surface: RestrictedSurface;
  /** Whether a path pattern speaks of something it names. */
  readonly names: (pattern: PathPattern) => boolean;
  /** Whether one speaks of a file whose content it may read or change, as far as its words tell. */
  readonly opens: (pattern: PathPattern) => boolean;
  /** It certainly only reads. */
  readonly onlyReads: boolean;
  /** Its words are those of a program that only reads, whatever that name means where it runs. */
  readonly looksReading: boolean;
}

/** One command whose words are certain. */
export function commandSubject(words: readonly string[], rules: CommandRules, onlyReads: boolean): RestrictedSubject {
  const operands = takesText(words) ? [] : withoutExclusions(words).slice(1);
  const places = placesOf(operands);
  let opened: readonly PatternText[] | undefined;
  return {
    quoted: quoteCommand(words),
    surface: surfaceOfCommand(words),
    names: (pattern) => namesPath(pattern, rules, () => places),
    opens: (pattern) => namesPath(pattern, rules, () => (opened ??= placesOf(fileWords(words)))),
    onlyReads,
    looksReading: looksReading(words),
  };
}

/**
 * A script nobody understood.
 * @param isWalked  a tolerant reading found its commands, which are judged by themselves
 */
export function textSubject(text: string, rules: CommandRules, isWalked = false): RestrictedSubject {
  const bare = new PatternText(text.replace(/\\\r?\n|["'\\]/g, ""));
  let found: readonly PatternText[] | undefined;
  const places = (): readonly PatternText[] => (found ??= placesInText(bare.text));
  const opened = (): readonly PatternText[] => (isWalked ? placesBesideCommands(bare.text) : places());
  return {
    quoted: quoteText(text),
    surface: { commands: [], texts: [looseWords(text)], written: [text] },
    names: (pattern) => namesPath(pattern, rules, (mayHold) => (mayHold(bare) ? places() : [])),
    opens: (pattern) => namesPath(pattern, rules, (mayHold) => (mayHold(bare) ? opened() : [])),
    onlyReads: false,
    looksReading: false,
  };
}

/** The judgement of the first deny rule that applies. */
export function denialOf(subject: RestrictedSubject, rules: CommandRules): Judgement | undefined {
  const own = withVerdict(rules.own, "deny").find((candidate) => restricts(candidate, subject));
  const file = rules.files.find(
    (each) => each.rule.verdict === "deny" && each.protectsReading && speaksOf(each, subject, rules),
  );
  const rule = own?.rule ?? file?.rule;
  return rule === undefined ? undefined : judgementByRule(rule, subject.quoted);
}

/**
 * Whether a rule about files speaks of what a command does. What is protected from the start the sandbox keeps closed, or, inside `.git`,
 * from being changed: there words only say in advance what would fail.
 */
function speaksOf({ path, kept }: FileRule, subject: RestrictedSubject, { box }: CommandRules): boolean {
  if (box === undefined || kept === undefined) return subject.names(path);
  if (kept === "unchanged" && (box === "read-only" || subject.looksReading)) return false;
  return subject.opens(path);
}

/** The judgement of the first ask rule that applies, of a locked one before all others; a rule against writing asks, where nobody can tell what is written. */
export function questionOf(subject: RestrictedSubject, rules: CommandRules): Judgement | undefined {
  const own = withVerdict(rules.own, "ask").filter((candidate) => restricts(candidate, subject));
  const files = rules.files.filter(({ rule, path, protectsReading }) => {
    const applies = protectsReading ? rule.verdict === "ask" : !subject.onlyReads;
    return applies && subject.names(path);
  });
  const asking = [...own, ...files].map(({ rule }) => rule);
  const rule = asking.find(({ locked }) => locked === true) ?? asking[0];
  if (rule === undefined) return undefined;
  return { ...judgementByRule({ ...rule, verdict: "ask" }, subject.quoted), rule };
}

/**
 * The judgement of an allow rule that covers a whole command; a wide pattern does not cover what turns a program into another, and none
 * but one about everything a program that is started elsewhere.
 */
export function allowanceOf(words: readonly string[], rules: CommandRules): Judgement | undefined {
  const allows = withVerdict(rules.own, "allow").filter(
    ({ path, command }) => path === undefined && (rules.isAtHome || command.type === "everything"),
  );
  const text = joinWords(words);
  const found = allows.find(({ command }) => coversCommand(command, words, text) && !oversteps(command, words));
  return found === undefined ? undefined : judgementByRule(found.rule, quoteCommand(words));
}

/** The judgement of an allow rule that spells out the whole script, or speaks of the whole tool. */
export function exactAllowanceOf(script: string, rules: CommandRules): Judgement | undefined {
  const text = withoutBlanks(script);
  const fitting = withVerdict(rules.own, "allow").filter(
    ({ rule, command, path }) =>
      path === undefined &&
      // A star that begins a word is the pattern's, not the shell's, which may put a file named like an option there.
      (rule.command === undefined ||
        (rules.isAtHome &&
          command.type !== "regex" &&
          !startsWordWithStar(command) &&
          withoutBlanks(rule.command) === text)),
  );
  // A grant says more than another rule: it also answers a question, wherever it stands.
  const found = fitting.find(({ rule }) => rule.source === "grant") ?? fitting[0];
  return found === undefined ? undefined : judgementByRule(found.rule, quoteText(text));
}

/** Without what every shell skips around a command, and nothing else: to a shell, other blanks belong to a word. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t\n]+/, "").replace(/(?<![ \t\n])[ \t\n]+$/, "");
}

function startsWordWithStar(command: CommandRule["command"]): boolean {
  return command.type === "words" && /(?:^|\s)\*/.test(command.text);
}

function restricts({ command, path }: CommandRule, subject: RestrictedSubject): boolean {
  return reachesSurface(command, subject.surface) && (path === undefined || subject.names(path));
}

function oversteps(command: CommandRule["command"], words: readonly string[]): boolean {
  if (command.type === "everything" || (command.type !== "regex" && command.pieces.length === 1)) return false;
  let spelled = command.text;
  return hiddenPrograms(words).some((hidden) => {
    const at = spelled.indexOf(hidden);
    spelled = at === -1 ? spelled : `${spelled.slice(0, at)} ${spelled.slice(at + hidden.length)}`;
    return at === -1;
  });
}

/**
 * Whether a path the tool declared, or a place where a path may stand, is one the pattern speaks of.
 * @param placesWith  places in what may hold a name that fits: most do not, and only those that do are worth resolving
 */
function namesPath(
  pattern: PathPattern,
  rules: CommandRules,
  placesWith: (mayHold: (text: PatternText) => boolean) => readonly PatternText[],
): boolean {
  const always = mayName(pattern, rules.cwd);
  const mayHold = (text: PatternText): boolean => always || mayName(pattern, text);
  return (
    rules.declaredNames.some((names) => restrictsPath(pattern, names)) ||
    placesWith(mayHold).some((place) => mayHold(place) && restrictsPath(pattern, rules.namesOf(place.text)))
  );
}

/** Places in such a text that are no words of a command: what it is led from and to, and values that are assigned. */
function placesBesideCommands(bare: string): readonly PatternText[] {
  return placesOf(Array.from(bare.matchAll(/[<>=][&|]?\s*([^\s;&|<>()`]+)/g), ([, place = ""]) => place));
}

function placesOf(words: readonly string[]): readonly PatternText[] {
  return words.flatMap(placesIn).map((place) => new PatternText(place));
}

/** Places in an opaque text without quotes, cut at shell syntax and at what sets a path off from an option. */
function placesInText(bare: string): readonly PatternText[] {
  const places = [...bare.split(/[\s;&|<>(){}$`]+/), ...bare.split(/[\s;&|<>(){}$`,=:@]+/)];
  return [...new Set(places)].filter((place) => place !== "").map((place) => new PatternText(place));
}

/** Where in a word a path may stand: the word, the value of `--option=…`, what follows `-o`, what follows `@`. */
function placesIn(word: string): readonly string[] {
  const equals = word.indexOf("=");
  const value = equals === -1 ? [] : [word.slice(equals + 1)];
  const joined = /^-[A-Za-z]/.test(word) || word.startsWith("@") ? [word.slice(word.startsWith("@") ? 1 : 2)] : [];
  return [word, ...value, ...joined].filter((place) => place !== "");
}
