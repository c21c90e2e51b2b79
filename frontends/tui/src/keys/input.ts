/**
 * What a terminal sent, read. Chords are written `ctrl+alt+shift+NAME` in this order, with the parts that hold; names are lower-case
 * letters, digits and signs as they stand on the key, and `enter`, `escape`, `tab`, `backspace`, `delete`, `insert`, `space`, `up`,
 * `down`, `left`, `right`, `home`, `end`, `page-up`, `page-down`, `f1` to `f12`.
 */
export type Input =
  /** Characters that were typed, as one input method committed them. No control characters. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "key"; readonly chord: string }
  /** Line ends are `\n`. */
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "focus"; readonly isFocused: boolean }
  /** Cells from 0. */
  | {
      readonly type: "mouse";
      readonly action: "press" | "release" | "move" | "wheel-up" | "wheel-down";
      readonly column: number;
      readonly row: number;
    }
  /** What the terminal says of itself when it is asked; it never reaches the draft. */
  | { readonly type: "reply"; readonly reply: TerminalReply };

export type TerminalReply =
  /** It speaks the kitty keyboard protocol, with these flags. */
  | { readonly type: "keyboard"; readonly flags: number }
  /** OSC 11; each part 0 to 1. */
  | { readonly type: "background"; readonly red: number; readonly green: number; readonly blue: number }
  /** DA1: the last of the answers. */
  | { readonly type: "attributes" };

/** What was read of the beginning of a text. */
export interface ReadInput {
  /** `paste`: one begins; `null`: nothing that concerns anybody. */
  readonly input: Input | "paste" | null;
  /** So much of the text it took. UTF-16 units. */
  readonly length: number;
}
