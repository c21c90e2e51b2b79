import { hiddenCharacters, showCodePoint } from "@capstan/patterns";

/** What is looked at of a long text: its beginning and its end. UTF-16 units. */
const examinedCharacters = 64 * 1024;
/** Characters of a word that are quoted. */
const quotedCharacters = 40;

/** What a user should know about a text before deciding on it, most important first; none when it is what it seems. */
export function warningsFor(text: string): readonly string[] {
  const half = examinedCharacters / 2;
  const seen = text.length <= examinedCharacters ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  return [...hiddenWarnings(seen), ...wordWarnings(seen)];
}

/** Each kind of character that is not seen, or not seen for what it is. */
const kinds: readonly { readonly says: string; readonly pattern: RegExp }[] = [
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  { says: "terminal control sequences", pattern: /[\u001b\u0080-\u009f]/u },
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  { says: "control characters", pattern: /(?!\r\n)[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/u },
  { says: "characters that change the direction of reading", pattern: /\p{Bidi_Control}/u },
  { says: "invisible characters", pattern: /(?!\p{Bidi_Control})[\p{Cf}\p{Default_Ignorable_Code_Point}]/u },
  { says: "blanks that are not plain spaces", pattern: /(?! )[\p{Z}\u2800]/u },
  { says: "characters without a common meaning", pattern: /[\p{Co}\p{Cs}]/u },
];

function hiddenWarnings(text: string): readonly string[] {
  // One search for all of them first: most texts have none.
  if (text.search(hiddenCharacters) === -1) return paddingWarnings(text);
  const found = kinds.flatMap(({ says, pattern }) => {
    const character = pattern.exec(text)?.[0];
    return character === undefined ? [] : [`It holds ${says}, such as ${showCodePoint(character)}.`];
  });
  return [...found, ...paddingWarnings(text)];
}

function paddingWarnings(text: string): readonly string[] {
  return /\S[^\S\n]{40,}\S|(?:\n[^\S\n]*){12}\S/u.test(text)
    ? ["It holds long stretches of nothing, after which it continues."]
    : [];
}

const words = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const alike: readonly (readonly [name: string, letters: RegExp])[] = [
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Coptic", /\p{Script=Coptic}/u],
];
/** Cyrillic and Greek letters of which whole Latin words can be made. */
const lookalikes = /^[абвгдеорсухіјѕһԁԛԝАВЕЅІЈКМНОРСТУХԚԜοραβεικνυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;
const wide = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;

function wordWarnings(text: string): readonly string[] {
  const warnings = new Map<string, string>();
  if (/[^ -~\s]/u.test(text)) {
    const hasLatin = latin.test(text);
    for (const [word] of text.matchAll(words)) warnAbout(word, hasLatin, warnings);
  }
  const host = /(?<![A-Za-z0-9-])(?:[a-z0-9-]{1,63}\.){0,8}xn--[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,63}){0,8}/i.exec(
    text,
  )?.[0];
  return [
    ...warnings.values(),
    ...(host === undefined ? [] : [`The host ${host} has another name when it is shown (punycode).`]),
  ];
}

/** At most one warning of each kind: its first word stands for all. */
function warnAbout(word: string, hasLatin: boolean, warnings: Map<string, string>): void {
  const foreign = alike.find(([, letters]) => letters.test(word));
  if (foreign !== undefined && latin.test(word) && !warnings.has("mixed"))
    warnings.set("mixed", `The word ${quoted(word)} mixes Latin and ${foreign[0]} letters.`);
  else if (foreign !== undefined && hasLatin && word.length > 1 && lookalikes.test(word) && !warnings.has("alike"))
    warnings.set("alike", `The word ${quoted(word)} looks Latin, and is ${foreign[0]}.`);
  if (wide.test(word) && !warnings.has("wide"))
    warnings.set("wide", `The word ${quoted(word)} has letters that only look like plain ones.`);
}

/** A word with every character that is not plain named by its number. */
function quoted(word: string): string {
  const shown = word.slice(0, quotedCharacters).replace(/[^ -~]/gu, (character) => showCodePoint(character));
  return `\`${shown}${word.length > quotedCharacters ? "…" : ""}\``;
}
