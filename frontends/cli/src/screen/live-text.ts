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
