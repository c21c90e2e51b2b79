import { inertStream, inertText } from "@capstan/view";
import type { Output } from "../output.ts";

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
export async function liveAnswer(out: Output, colors: boolean): Promise<LiveAnswer> {
  if (out.columns === undefined) return new LiveText(out);
  // Scripts and pipes, which read the text as it is, need not load what reads Markdown.
  const { LiveMarkdown } = await import("./live-markdown.ts");
  return new LiveMarkdown(out, colors);
}

/** The text as it stands. */
export class LiveText implements LiveAnswer {
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
