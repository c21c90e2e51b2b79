import type { AssistantBlock, AssistantMessage, ModelStreamPart } from "@capstan/protocol";
import type { RedactionStream } from "../redaction/redaction-stream.ts";
import { redactJson } from "../redact-outcome.ts";
import type { Redactor } from "../redact.ts";

type Delta = Extract<ModelStreamPart, { type: "text-delta" | "thinking-delta" | "tool-arguments-delta" }>;

interface OpenText {
  readonly stream: RedactionStream;
  /** The last piece that went into it: what it holds back goes out in its like. */
  last: Delta;
}

/**
 * The parts of one answer without secrets, joined where neighbours are of one kind. What could begin a secret waits until the
 * text continues; a text that gives way to one of another kind has ended.
 */
export class RedactedParts {
  readonly #redact: Redactor;
  readonly #open = new Map<string, OpenText>();
  /** All text so far, as it came, as long as nothing was found in it. */
  #cleanText: string | undefined = "";

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  push(parts: readonly ModelStreamPart[]): readonly ModelStreamPart[] {
    return joined(joined(parts).flatMap((part) => this.#clean(part)));
  }

  /** What still waits, when nothing more comes. */
  end(): readonly ModelStreamPart[] {
    const open = [...this.#open.values()];
    const rest = open.flatMap((each) => closing(each));
    this.#note(open);
    this.#open.clear();
    return rest;
  }

  /** The whole answer, after its end, as it may be journaled. A text in which nothing was found on its way is not searched again. */
  message(message: AssistantMessage): AssistantMessage {
    const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    return redactMessage(message, this.#redact, text === this.#cleanText);
  }

  #note(ended: readonly OpenText[]): void {
    if (ended.some(({ stream, last }) => last.type === "text-delta" && stream.foundAny)) this.#cleanText = undefined;
  }

  #clean(part: ModelStreamPart): readonly ModelStreamPart[] {
    switch (part.type) {
      case "text-delta":
      case "thinking-delta":
        return [...this.#closeOthers(part.type), ...this.#piece(part.type, part)];
      case "tool-arguments-delta":
        return [...this.#closeOthers(""), ...this.#piece(`call ${part.index}`, part)];
      case "notice":
        return [{ ...part, text: this.#redact(part.text) }];
      case "unknown":
        return [{ ...part, what: this.#redact(part.what), raw: redactJson(part.raw, this.#redact) }];
      case "rate-limits":
      case "finish":
        return [part];
    }
  }

  #piece(key: string, part: Delta): readonly ModelStreamPart[] {
    const open = this.#open.get(key) ?? { stream: this.#redact.stream(), last: part };
    this.#open.set(key, open);
    open.last = part;
    const delta = open.stream.push(part.delta);
    if (part.type === "text-delta" && this.#cleanText !== undefined)
      this.#cleanText = open.stream.foundAny ? undefined : this.#cleanText + part.delta;
    return delta === "" ? [] : [{ ...part, delta }];
  }

  /** Text and thinking do not continue after something else; the arguments of several calls may come by turns. */
  #closeOthers(key: string): readonly ModelStreamPart[] {
    return ["text-delta", "thinking-delta"].flatMap((other) => {
      const open = other === key ? undefined : this.#open.get(other);
      if (open === undefined) return [];
      this.#open.delete(other);
      const rest = closing(open);
      this.#note([open]);
      return rest;
    });
  }
}

function closing({ stream, last }: OpenText): readonly ModelStreamPart[] {
  const delta = stream.end();
  return delta === "" ? [] : [{ ...last, delta }];
}

/**
 * An answer as it may be journaled. Left exactly as they came: the arguments of calls, which are what runs; thinking that its
 * vendor has signed, and items of the vendor's own, which must go back to it unchanged.
 */
function redactMessage(message: AssistantMessage, redact: Redactor, isTextClean: boolean): AssistantMessage {
  return {
    ...message,
    content: message.content.map((block) =>
      isTextClean && block.type === "text" ? block : redactBlock(block, redact),
    ),
  };
}

function redactBlock(block: AssistantBlock, redact: Redactor): AssistantBlock {
  switch (block.type) {
    case "text":
      return { ...block, text: redact(block.text) };
    case "thinking":
      return block.signature === undefined ? { ...block, text: redact(block.text) } : block;
    case "tool-call":
      return block.arguments.type === "json"
        ? block
        : {
            ...block,
            arguments: {
              ...block.arguments,
              text: redact(block.arguments.text),
              problem: redact(block.arguments.problem),
            },
          };
    case "provider-item":
      return block;
  }
}

/** Neighbouring pieces of one kind become one: fewer records say the same. */
function joined(parts: readonly ModelStreamPart[]): readonly ModelStreamPart[] {
  const whole: ModelStreamPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.type === "text-delta" && part.type === "text-delta")
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else if (last?.type === "thinking-delta" && part.type === "thinking-delta")
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else if (last?.type === "tool-arguments-delta" && part.type === "tool-arguments-delta" && last.index === part.index)
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta };
    else whole.push(part);
  }
  return whole;
}
