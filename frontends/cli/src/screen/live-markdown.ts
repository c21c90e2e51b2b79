import { appendMarkdown, emptyMarkdown, itemsOf, type MarkdownText } from "@capstan/view";
import type { Output } from "../output.ts";
import type { LiveAnswer } from "./live-text.ts";
import { markdownLines } from "./markdown-lines.ts";

/** A block is drawn when nothing can change it any more. */
export class LiveMarkdown implements LiveAnswer {
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
