import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import { inertLine, isWithin } from "@capstan/patterns";
import type { Fact, FactKind, SessionEvent, SessionId, UserContent } from "@capstan/protocol";
import { maxFactCharacters, maxRequestCharacters, maxSentenceCharacters, minSentenceCharacters } from "./limits.ts";

/** The session whose journal is read. `request`: what its user last asked for. */
export interface ReadSession {
  readonly id: SessionId;
  readonly cwd: string;
  readonly request: string;
}

/** What was read out of records, and what the next ones continue from. */
export interface ReadFacts {
  readonly facts: readonly Fact[];
  readonly request: string;
}

/**
 * Reads out of a journal what outlasts its session: what a user said that binds or settles something, and which request last changed a
 * file. A sentence that is said again is the same fact, and so is a file that changes again.
 */
export function readFacts(events: readonly SessionEvent[], session: ReadSession): ReadFacts {
  const found = new Map<string, Fact>();
  let { request } = session;
  for (const event of events) {
    const { record } = event;
    if (record.type === "turn-started" && record.call === undefined) request = textOf(record.content);
    for (const fact of factsOf(event, { ...session, request })) {
      found.delete(fact.id);
      found.set(fact.id, fact);
    }
  }
  return { facts: [...found.values()], request };
}

/** What its user last asked for in these records; `undefined`: nothing. */
export function lastRequest(events: readonly SessionEvent[]): string | undefined {
  const asked = events.findLast(({ record }) => record.type === "turn-started" && record.call === undefined);
  return asked?.record.type === "turn-started" ? textOf(asked.record.content) : undefined;
}

/** Whether something changes in these records that was asked for before them. */
export function continuesRequest(events: readonly SessionEvent[]): boolean {
  const first = events.find(
    ({ record }) =>
      (record.type === "turn-started" && record.call === undefined) ||
      (record.type === "tool-finished" && record.changes.length > 0),
  );
  return first?.record.type === "tool-finished";
}

function factsOf(event: SessionEvent, session: ReadSession): readonly Fact[] {
  const { record } = event;
  switch (record.type) {
    case "turn-started":
      return record.call === undefined && record.plan === undefined ? saidFacts(event, record.content, session) : [];
    case "turn-steered":
      return saidFacts(event, record.content, session);
    case "tool-finished":
      return record.outcome.type === "done" ? changedFacts(event, session) : [];
    default:
      return [];
  }
}

function saidFacts(
  { seq, at }: SessionEvent,
  content: readonly UserContent[],
  { id: sessionId, cwd }: ReadSession,
): readonly Fact[] {
  return sentencesOf(textOf(content)).flatMap((sentence) => {
    const kind = kindOf(sentence);
    if (kind === undefined) return [];
    const text = inertLine(sentence, maxFactCharacters);
    const id = factId(cwd, "said", text.toLowerCase());
    return [
      { id, kind, scope: "workspace", cwd, text, entities: [], files: [], by: "rules", source: { sessionId, seq }, at },
    ];
  });
}

function changedFacts(
  { seq, at, record }: SessionEvent,
  { id: sessionId, cwd, request }: ReadSession,
): readonly Fact[] {
  if (record.type !== "tool-finished") return [];
  const asked = inertLine(request, maxRequestCharacters);
  return record.changes.flatMap(({ path: shown, kind }) => {
    const path = resolve(cwd, shown);
    const seen = record.observed.find((file) => file.path === path);
    if (seen === undefined || kind === "deleted" || !isWithin(cwd, path)) return [];
    const name = inertLine(relative(cwd, path), maxFactCharacters);
    return [
      {
        id: factId(cwd, "file", path),
        kind: "code-state",
        scope: "workspace",
        cwd,
        text: `${name} was ${kind}${asked === "" ? "" : `: ${asked}`}`,
        entities: [name],
        files: [seen],
        by: "rules",
        source: { sessionId, seq },
        at,
      },
    ];
  });
}

/** The same for the same thing said of the same place: what is found twice is one fact. */
export function factId(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);
}

function textOf(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Sentences and lines outside of code that say something: a question settles nothing. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/```[^]*?(?:```|$)/g, "\n")
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(/^(?:(?:[>*\-•#]+|\d{1,3}[.)])\s+)+/, ""))
    .filter(({ length }) => length >= minSentenceCharacters && length <= maxSentenceCharacters)
    .filter((sentence) => !/[?？]$/.test(sentence));
}

function kindOf(sentence: string): FactKind | undefined {
  if (says(sentence, settling)) return "decision";
  return says(sentence, lasting) ? "constraint" : undefined;
}

/**
 * Whether the words stand in the sentence, and not in the middle of longer ones. Letters of all scripts are looked for apart from the
 * words: to compare them without case, an expression with both takes a millisecond to make.
 */
function says(sentence: string, words: RegExp): boolean {
  for (let from = 0; ;) {
    words.lastIndex = from;
    const found = words.exec(sentence);
    if (found === null) return false;
    const end = found.index + found[0].length;
    const isWhole = !/[\p{L}\d]$/u.test(sentence.slice(0, found.index)) && !/^[\p{L}\d]/u.test(sentence.slice(end));
    if (isWhole) return true;
    from = found.index + 1;
  }
}

/** Words by which people say what holds beyond the task at hand. English first, and the plainest of German, French and Spanish. */
const lasting =
  /(?:never|always|from now on|in (the )?future|must not|mustn't|under no circumstances|off[- ]limits|without exception|remember (that|to)|remember:|by convention|(our|the) (convention|policy|rule|style|standard)s?|(i|we) (always |usually |strongly )?prefer|every time|niemals?|nie|immer|grundsätzlich|ab (jetzt|sofort)|künftig|jamais|toujours|désormais|nunca|siempre|a partir de ahora)/giu;

/** Words by which people say that something is settled. */
const settling =
  /(?:we( have|'ve)? (decided|agreed|chosen|chose|settled)|decision:|we('ll| will| are going to)? (use|go with|stick (with|to)|keep to|deploy|are using)|let's (use|go with|stick (with|to))|(is|are) (final|settled|decided)|wir (haben uns|nehmen|verwenden|benutzen)|entschieden|on (a décidé|utilise)|nous (avons décidé|utilisons)|hemos decidido|usamos)/giu;
