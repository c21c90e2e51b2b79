/** What an event adds to an answer, when it adds one piece of text and does nothing else. */
export interface PlainDelta {
  readonly text: string;
  /** Adds a further piece to the same place. */
  readonly add: (text: string) => void;
}

/** What changes from event to event beside the text: numbers that count on, and padding. Readers ignore it, or read the last of it. */
const noise = /("(?:sequence_number|\w*[tT]okenCount)": ?)\d+|("obfuscation": ?")\w*/g;
/** Stands for a text while a template is checked; no vendor sends it. */
const probe = "\u{10fffd}";

/**
 * The form of an event, learnt from one example. Most of an answer comes as thousands of events that differ in one text only;
 * taking that text out is several times cheaper than parsing the event. An event of any other form is refused.
 */
export class DeltaTemplate {
  /** The event around a text without escapes, and around any other. */
  private readonly plain: RegExp;
  private readonly escaped: RegExp;
  private readonly name: string | undefined;
  /** Takes the texts, which may be joined before. */
  readonly add: (text: string) => void;

  private constructor(before: string, after: string, name: string | undefined, add: (text: string) => void) {
    const [head, tail] = [toPattern(before), toPattern(after)];
    this.plain = new RegExp(`^${head}"([^"\\\\\\u0000-\\u001f]*)"${tail}$`);
    this.escaped = new RegExp(`^${head}("[^\\u0000-\\u001f]*")${tail}$`);
    this.name = name;
    this.add = add;
  }

  /**
   * @param raw  the example's JSON
   * @param name  its event name
   * @param read  what an event of the wire adds
   * @returns `undefined` when the text's place in the example is not certain
   */
  static learn(
    raw: string,
    name: string | undefined,
    delta: PlainDelta,
    read: (raw: string) => PlainDelta | undefined,
  ): DeltaTemplate | undefined {
    const literal = JSON.stringify(delta.text);
    const at = raw.indexOf(literal);
    if (at < 0 || raw.includes(literal, at + 1)) return undefined;
    const before = raw.slice(0, at);
    const after = raw.slice(at + literal.length);
    if (read(`${before}${JSON.stringify(probe)}${after}`)?.text !== probe) return undefined;
    return new DeltaTemplate(before, after, name, delta.add);
  }

  /** The text of an event of this form; `undefined`: it has another. */
  textOf(raw: string, name: string | undefined): string | undefined {
    if (name !== this.name) return undefined;
    return this.plain.exec(raw)?.[1] ?? unescaped(this.escaped.exec(raw)?.[1]);
  }
}

/** The text as a pattern, in which what varies from event to event may vary. */
function toPattern(text: string): string {
  let pattern = "";
  let from = 0;
  for (const { 0: found, 1: counted, 2: padded, index } of text.matchAll(noise)) {
    pattern += literally(text.slice(from, index) + (counted ?? padded ?? ""));
    pattern += counted === undefined ? "\\w*" : "\\d+";
    from = index + found.length;
  }
  return pattern + literally(text.slice(from));
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The text of a JSON literal; `undefined` when it is none, such as one in which the event's end was taken for text. */
function unescaped(literal: string | undefined): string | undefined {
  if (literal === undefined) return undefined;
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
