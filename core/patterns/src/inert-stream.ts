import { inertText } from "./inert-text.ts";

/** Characters of an unfinished escape sequence that are held back; a longer one is dropped. */
const maxHeldCharacters = 4096;

/** A piece of a streamed text that can be shown, and what is held back until the next one. */
export interface InertPiece {
  readonly text: string;
  readonly held: string;
}

/**
 * Makes one more piece of a streamed text inert: a sequence cut between two pieces is held back until it is whole.
 * @param held  what the piece before held back; at first nothing
 */
export function inertPiece(held: string, piece: string): InertPiece {
  const text = held + piece;
  const cut = unfinishedEscapeFrom(text);
  return { text: inertText(text.slice(0, cut)), held: text.length - cut > maxHeldCharacters ? "" : text.slice(cut) };
}

/** The same for whoever keeps nothing. */
export function inertStream(): { push(piece: string): string; end(): string } {
  let held = "";
  return {
    push(piece) {
      const shown = inertPiece(held, piece);
      held = shown.held;
      return shown.text;
    },
    end() {
      const rest = inertText(held);
      held = "";
      return rest;
    },
  };
}

/** Where an escape sequence or a line end begins that may continue in the next piece. */
export function unfinishedEscapeFrom(text: string): number {
  const unfinished =
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    /(?:\u001b\[[0-?]*[ -/]*|\u001b[\]PX^_][^\u0007\u001b\u009c]*\u001b?|\u001b[ -/]*|[\u009b][0-?]*[ -/]*|[\u0090\u0098\u009d\u009e\u009f][^\u0007\u001b\u009c]*)$/;
  const lineEnd = text.endsWith("\r") ? text.length - 1 : text.length;
  return unfinished.exec(text)?.index ?? lineEnd;
}
