import { rmSync } from "node:fs";
import { join } from "node:path";
import type { UserContent } from "@capstan/protocol";
import type { Place } from "../end-to-end/stage/place.ts";

/** What a user says, and what the scripted model answers to it, call by call. */
interface Turn {
  readonly say: readonly (UserContent | string)[];
  readonly answers: readonly object[];
}

const image: UserContent = { type: "media", mediaType: "image/png", data: "iVBORw0KGgo=", name: "plan.png" };
const document: UserContent = { type: "media", mediaType: "application/pdf", data: "JVBERi0xLjQK", name: "rules.pdf" };

const read = (path: string): object => ({ name: "read_file", arguments: { path } });
const edit = (path: string, from: string, to: string): object => ({
  name: "edit_file",
  arguments: { path, old_string: from, new_string: to },
});
const run = (command: string): object => ({ name: "run_command", arguments: { command } });
const results = (...expected: readonly object[]): object => ({ expect: { tool_results: expected } });
const fine = { is_error: false };
const wrong = { is_error: true };

/** One session of ten turns: reads in parallel, edits, failing tools, calls that are none, thinking and attachments. */
export const tenTurns: readonly Turn[] = [
  {
    say: ["What is in here?"],
    answers: [
      {
        thinking: "Everything at once 🧵, then.",
        text: "I look.",
        tool_calls: [read("a.txt"), read("b.txt"), { name: "glob", arguments: { pattern: "*.txt" } }],
      },
      { text: "Two files.", ...results({ contains: "alpha" }, { contains: "beta" }, fine) },
    ],
  },
  {
    say: ["Make alpha a gamma."],
    answers: [
      { thinking: "One line.", tool_calls: [edit("a.txt", "alpha", "gamma")] },
      { thinking: "Done?", tool_calls: [read("a.txt")], ...results(fine) },
      { text: "It is a gamma now.", ...results({ contains: "gamma" }) },
    ],
  },
  {
    say: ["And what is missing?"],
    answers: [
      { thinking: "Two that fail.", tool_calls: [read("missing.txt"), run("echo no >&2; exit 3")] },
      { text: "Both failed.", ...results(wrong, { contains: "Exit code: 3" }) },
    ],
  },
  {
    say: ["Continue."],
    answers: [
      { text: "Hm.", tool_calls: [{ name: "read_file", arguments: '{"path": "a.t' }, read("b.txt")] },
      { text: "One of them was no JSON.", ...results(wrong, { contains: "beta" }) },
    ],
  },
  {
    say: ["Write it down 📝 – “all” of it."],
    answers: [
      {
        thinking: "A new file.",
        tool_calls: [{ name: "write_file", arguments: { path: "deep/c.txt", content: "c\n" } }],
      },
      { thinking: "Is it there?", text: "I check.", tool_calls: [run("cat deep/c.txt")], ...results(fine) },
      { text: "It is written.", ...results({ contains: "c" }) },
    ],
  },
  {
    say: ["Use another tool."],
    answers: [
      { thinking: "There may be one.", tool_calls: [{ name: "read file/ä", arguments: { path: "a.txt" } }] },
      { text: "There is none.", ...results(wrong) },
    ],
  },
  {
    say: ["Look at these.", image, document],
    answers: [{ thinking: "A plan and rules.", text: "I see both." }],
  },
  {
    say: ["Turn both files around."],
    answers: [
      { thinking: "Where?", tool_calls: [{ name: "search", arguments: { pattern: "gamma|beta" } }] },
      {
        tool_calls: [edit("a.txt", "gamma", "delta"), edit("b.txt", "beta", "zeta")],
        ...results({ contains: "b.txt" }),
      },
      { text: "Both are turned.", ...results(fine, fine) },
    ],
  },
  {
    say: ["Print something odd."],
    answers: [
      { thinking: "Odd.", tool_calls: [run(String.raw`printf 'a\377\000b\n'`), run("true"), read("b.txt")] },
      { text: "Odd indeed.", ...results(fine, fine, { contains: "zeta" }) },
    ],
  },
  { say: ["Thanks."], answers: [{ thinking: "The end.", text: "You are welcome 👋." }] },
];

/** What the session works on, as if nobody had worked on it. */
export function prepareWorkspace(place: Place): void {
  rmSync(join(place.workspace, "deep"), { recursive: true, force: true });
  place.write("a.txt", "alpha\nsecond line\n");
  place.write("b.txt", "beta\n");
}

/** A scenario of these turns, each answer cut into small pieces. */
export function scenarioOf(turns: readonly Turn[]): object {
  const answers = turns.flatMap((turn) => turn.answers);
  return { name: "ten turns", defaults: { piece_bytes: 9, chunk_bytes: 61 }, turns: answers };
}
