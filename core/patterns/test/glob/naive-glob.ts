/** A glob as its parts, and what it means, by trying every way: the specification that the matcher is compared with. */
export type Part =
  | { readonly type: "character"; readonly character: string }
  | { readonly type: "any" }
  | { readonly type: "set"; readonly text: string; readonly holds: (character: string) => boolean }
  | { readonly type: "star" }
  | { readonly type: "stars" }
  | { readonly type: "slash" }
  | { readonly type: "choice"; readonly options: readonly (readonly Part[])[] };

/** How it is written. */
export function print(parts: readonly Part[]): string {
  return parts.map(printPart).join("");
}

function printPart(part: Part): string {
  switch (part.type) {
    case "character":
      return /[*?[\]{},\\]/.test(part.character) ? `\\${part.character}` : part.character;
    case "any":
      return "?";
    case "set":
      return part.text;
    case "star":
      return "*";
    case "stars":
      return "**";
    case "slash":
      return "/";
    case "choice":
      return `{${part.options.map(print).join(",")}}`;
  }
}

export function naiveMatch(parts: readonly Part[], path: string, dot: boolean): boolean {
  const text = Array.from(path);
  return expand(parts).some((flat) => matchFrom(flat, 0, { text, dot }, 0));
}

type FlatPart = Exclude<Part, { readonly type: "choice" }>;

function expand(parts: readonly Part[]): readonly (readonly FlatPart[])[] {
  return parts.reduce<readonly (readonly FlatPart[])[]>(
    (lists, part) => {
      const heads = part.type === "choice" ? part.options.flatMap(expand) : [[part]];
      return lists.flatMap((list) => heads.map((head) => [...list, ...head]));
    },
    [[]],
  );
}

interface Subject {
  readonly text: readonly string[];
  readonly dot: boolean;
}

function matchFrom(parts: readonly FlatPart[], at: number, subject: Subject, place: number): boolean {
  const { text } = subject;
  const part = parts[at];
  if (part === undefined) return place === text.length;
  const before = parts[at - 1];
  const isFirst = before === undefined || before.type === "slash";
  if (part.type === "stars" && isFirst && (at === parts.length - 1 || parts[at + 1]?.type === "slash")) {
    return matchNames(parts, at, subject, place);
  }
  if (part.type === "star" || part.type === "stars") {
    if (matchFrom(parts, at + 1, subject, place)) return true;
    return isWild(subject, place) && matchFrom(parts, at, subject, place + 1);
  }
  return matchOne(part, isFirst, subject, place) && matchFrom(parts, at + 1, subject, place + 1);
}

function matchNames(parts: readonly FlatPart[], at: number, subject: Subject, place: number): boolean {
  const { text, dot } = subject;
  const ends = [...text.keys(), text.length].filter((end) => end > place && (end === text.length || text[end] === "/"));
  const reached = ends.filter((end) => dot || !`/${text.slice(place, end).join("")}`.includes("/."));
  if (at === parts.length - 1) return reached.includes(text.length);
  return matchFrom(parts, at + 2, subject, place) || reached.some((end) => matchFrom(parts, at + 1, subject, end));
}

function matchOne(part: FlatPart, isFirst: boolean, subject: Subject, place: number): boolean {
  const character = subject.text[place];
  switch (part.type) {
    case "character":
      return character === part.character && (character !== "." || isFirst || isWild(subject, place));
    case "any":
      return isWild(subject, place);
    case "set":
      return isWild(subject, place) && part.holds(character ?? "");
    case "slash":
      return character === "/";
    case "star":
    case "stars":
      return false;
  }
}

/** Whether a wildcard may take the character. */
function isWild({ text, dot }: Subject, place: number): boolean {
  const character = text[place];
  const startsName = place === 0 || text[place - 1] === "/";
  return character !== undefined && character !== "/" && (dot || !startsName || character !== ".");
}
