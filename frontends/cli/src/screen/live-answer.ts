import { appendMarkdown, emptyMarkdown, inertStream, inertText, itemsOf, type MarkdownText } from "@capstan/view";
import type { Output } from "../output.ts";
import { markdownLines } from "./markdown-lines.ts";

/** The answer of a step on a terminal, as it comes. */
export interface LiveAnswer {
  push(delta: string): void;
  /** The answer is whole; a short one may come without pieces. */
  complete(whole: string): void;
  /** Something else is shown in its midst, on a line of its own. */
  interrupt(): void;
  /** Nothing more comes of it, and what follows begins a line. */
  end(): void;
}

/** Where the width of the lines is known, Markdown is drawn, block by block; elsewhere the text stands as it is. */
export function liveAnswer(out: Output, colors: boolean): LiveAnswer {
  return out.columns === undefined ? new LiveText(out) : new LiveMarkdown(out, colors);
}

class LiveText implements LiveAnswer {
  readonly #out: Output;
  #stream = inertStream();
  #text = "";

  constructor(out: Output) {
    this.#out = out;
  }

  push(delta: string): void {
    this.#write(this.#stream.push(delta));
  }

  complete(whole: string): void {
    this.#write(this.#stream.end());
    if (this.#text === "" && whole !== "") this.#write(inertText(whole));
    this.end();
  }

  interrupt(): void {
    if (this.#text !== "" && !this.#text.endsWith("\n")) this.#write("\n");
  }

  end(): void {
    this.interrupt();
    this.#text = "";
    this.#stream = inertStream();
  }

  #write(text: string): void {
    this.#text += text;
    if (text !== "") this.#out.write(text);
  }
}

/** A block is drawn when nothing can change it any more. */
class LiveMarkdown implements LiveAnswer {
  readonly #out: Output;
  readonly #colors: boolean;
  #markdown: MarkdownText = emptyMarkdown;
  /** Of the final blocks. */
  #drawn = 0;
  #hasText = false;

  constructor(out: Output, colors: boolean) {
    this.#out = out;
    this.#colors = colors;
  }

  push(delta: string): void {
    this.#hasText ||= delta !== "";
    this.#markdown = appendMarkdown(this.#markdown, delta);
    this.#draw([...itemsOf(this.#markdown.final, this.#drawn)]);
  }

  complete(whole: string): void {
    if (!this.#hasText && whole !== "") this.push(whole);
    this.end();
  }

  interrupt(): void {
    this.#draw(this.#markdown.open);
    this.#markdown = emptyMarkdown;
    this.#drawn = 0;
  }

  end(): void {
    this.interrupt();
    this.#hasText = false;
  }

  #draw(blocks: Parameters<typeof markdownLines>[0]): void {
    if (blocks.length === 0) return;
    const options = { columns: this.#out.columns ?? defaultColumns, colors: this.#colors };
    const lines = markdownLines(blocks, options);
    this.#out.write(`${[...(this.#drawn > 0 ? [""] : []), ...lines].join("\n")}\n`);
    this.#drawn += blocks.length;
  }
}

/** Of a terminal that does not say its width any more. */
const defaultColumns = 80;
