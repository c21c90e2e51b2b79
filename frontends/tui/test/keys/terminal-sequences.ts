import type { Input } from "../../src/keys/input.ts";

/** What terminals send, and how it is read: chords, texts in quotes, and the rest by name. */
export const terminalSequences: readonly (readonly [sent: string, inputs: string])[] = [
  ["a", '"a"'],
  ["漢", '"漢"'],
  ["👩‍💻", '"👩‍💻"'],
  ["\u0001", "ctrl+a"],
  ["\u001f", "ctrl+_"],
  ["\u0000", "ctrl+space"],
  ["\u007f", "backspace"],
  ["\u0008", "backspace"],
  ["\t", "tab"],
  ["\r", "enter"],
  ["\n", "ctrl+j"],
  ["\u001ba", "alt+a"],
  ["\u001bA", "alt+shift+a"],
  ["\u001b.", "alt+."],
  ["\u001b\u007f", "alt+backspace"],
  ["\u001b\r", "alt+enter"],
  ["\u001b\u0001", "ctrl+alt+a"],
  ["\u001bé", "alt+é"],
  ["\u001b\u001b[A", "escape up"],
  // Keys without a character, by themselves and with modifiers.
  ["\u001b[A", "up"],
  ["\u001bOB", "down"],
  ["\u001b[1;5C", "ctrl+right"],
  ["\u001b[1;3D", "alt+left"],
  ["\u001b[1;9D", "alt+left"],
  ["\u001b[1;2A", "shift+up"],
  ["\u001b[1;8A", "ctrl+alt+shift+up"],
  ["\u001bO5C", "ctrl+right"],
  ["\u001b[H", "home"],
  ["\u001bOF", "end"],
  ["\u001b[1~", "home"],
  ["\u001b[2~", "insert"],
  ["\u001b[3~", "delete"],
  ["\u001b[3;5~", "ctrl+delete"],
  ["\u001b[4~", "end"],
  ["\u001b[5~", "page-up"],
  ["\u001b[6;2~", "shift+page-down"],
  ["\u001b[7~", "home"],
  ["\u001b[8~", "end"],
  ["\u001bOP", "f1"],
  ["\u001b[11~", "f1"],
  ["\u001b[[A", "f1"],
  ["\u001b[1;2S", "shift+f4"],
  ["\u001b[15~", "f5"],
  ["\u001b[24;5~", "ctrl+f12"],
  ["\u001b[Z", "shift+tab"],
  ["\u001bOM", "enter"],
  // xterm's modifyOtherKeys.
  ["\u001b[27;5;13~", "ctrl+enter"],
  ["\u001b[27;2;13~", "shift+enter"],
  ["\u001b[27;5;44~", "ctrl+,"],
  ["\u001b[27;6;65~", "ctrl+shift+a"],
  // kitty's protocol.
  ["\u001b[27u", "escape"],
  ["\u001b[13;5u", "ctrl+enter"],
  ["\u001b[13;2u", "shift+enter"],
  ["\u001b[9;2u", "shift+tab"],
  ["\u001b[127;5u", "ctrl+backspace"],
  ["\u001b[97;5u", "ctrl+a"],
  ["\u001b[97;6u", "ctrl+shift+a"],
  ["\u001b[97;7u", "ctrl+alt+a"],
  ["\u001b[32;5u", "ctrl+space"],
  ["\u001b[1103;5u", "ctrl+я"],
  ["\u001b[97u", '"a"'],
  ["\u001b[97;2u", '"A"'],
  ["\u001b[97;65u", '"A"'],
  ["\u001b[97;66u", '"a"'],
  ["\u001b[97;129u", '"a"'],
  ["\u001b[49:33;2u", '"!"'],
  ["\u001b[49;2;33u", '"!"'],
  ["\u001b[97;5:1u", "ctrl+a"],
  ["\u001b[97;5:2u", "ctrl+a"],
  ["\u001b[97;5:3u", ""],
  ["\u001b[1;1:3A", ""],
  ["\u001b[97;9u", ""],
  ["\u001b[57441;2u", ""],
  // The number pad, as kitty's protocol names its keys.
  ["\u001b[57404u", '"5"'],
  ["\u001b[57404;129u", '"5"'],
  ["\u001b[57409u", '"."'],
  ["\u001b[57413u", '"+"'],
  ["\u001b[57416u", '","'],
  ["\u001b[57404;5u", "ctrl+5"],
  ["\u001b[57414u", "enter"],
  ["\u001b[57419;5u", "ctrl+up"],
  ["\u001b[u", ""],
  // Pastes.
  ["\u001b[200~one\r\ntwo\u001b[201~", 'paste "one\\ntwo"'],
  ["\u001b[200~\u001b[201~", 'paste ""'],
  ["\u001b[201~", ""],
  // What the terminal says of itself.
  ["\u001b[I", "focus"],
  ["\u001b[O", "blur"],
  ["\u001b[?1u", "keyboard 1"],
  ["\u001b[?62;4c", "attributes"],
  ["\u001b]11;rgb:0000/8080/ffff\u0007", "background 0.00 0.50 1.00"],
  ["\u001b]11;rgb:00/80/ff\u001b\\", "background 0.00 0.50 1.00"],
  ["\u001b]11;rgba:0/f/0/f\u001b\\", "background 0.00 1.00 0.00"],
  ["\u001b]10;rgb:0000/8080/ffff\u0007", ""],
  ["\u001bP>|xterm(390)\u001b\\", ""],
  ["\u001b_Gi=1;OK\u001b\\", ""],
  ["\u001b[>41;390;0c", ""],
  ["\u001b[?2026;2$y", ""],
  // The mouse.
  ["\u001b[<0;1;1M", "press 0,0"],
  ["\u001b[<0;12;5m", "release 11,4"],
  ["\u001b[<35;12;5M", "move 11,4"],
  ["\u001b[<64;3;4M", "wheel-up 2,3"],
  ["\u001b[<65;3;4M", "wheel-down 2,3"],
  ["\u001b[<66;3;4M", ""],
  ["\u001b[<;;M", ""],
  ["\u001b[M !!", ""],
  // What nobody knows is swallowed whole, and what is broken off as far as it came.
  ["\u001b[99~", ""],
  ["\u001b[38;2y", ""],
  ["\u001b[1;\u001b[A", "up"],
  ["\u001b[1;漢", '"漢"'],
  ["\u0085", ""],
];

export function shownInputs(inputs: readonly Input[]): string {
  return inputs.map(shownInput).join(" ");
}

function shownInput(input: Input): string {
  switch (input.type) {
    case "text":
      return JSON.stringify(input.text);
    case "key":
      return input.chord;
    case "paste":
      return `paste ${JSON.stringify(input.text)}`;
    case "focus":
      return input.isFocused ? "focus" : "blur";
    case "mouse":
      return `${input.action} ${input.column},${input.row}`;
    case "reply": {
      const { reply } = input;
      if (reply.type === "keyboard") return `keyboard ${reply.flags}`;
      if (reply.type === "attributes") return reply.type;
      return `background ${[reply.red, reply.green, reply.blue].map((part) => part.toFixed(2)).join(" ")}`;
    }
  }
}
