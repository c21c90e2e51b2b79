import type { SeededRandom } from "@capstan/testkit";
import {
  command,
  commandWithChild,
  edit,
  failingCommand,
  find,
  lastLine,
  patch,
  read,
  readBackground,
  search,
  spawn,
  startInBackground,
  stopBackground,
  write,
} from "./calls.ts";
import { modelOf, type TortureWire, tortureWires } from "../stage/wires.ts";
import { asked, extensionFiles, note } from "./extensions.ts";
import { answer, EffectIds, type PlannedCall, type Script, type ScriptMaker } from "./script.ts";

/** Between two writes of an answer: slow enough that a kill can fall between them. */
const pace = { piece_bytes: 12, delay_ms: 4 };
const yolo: readonly string[] = ["--yolo"];
const names = ["a.txt", "b.txt", "c.txt"] as const;
const files: Script["files"] = Object.fromEntries(names.map((name) => [name, `This is ${name}.\n${lastLine}\n`]));

type Answer = ReturnType<typeof answer>;

function script(name: string, answers: readonly Answer[], flags: readonly string[] = yolo): Script {
  return {
    name,
    files,
    flags,
    turns: answers.map(({ turn }) => ({ ...pace, ...turn })),
    effects: answers.flatMap(({ effects }) => effects),
  };
}

const last: Answer = answer({ text: "All of it is done, as far as I can see." }, []);

/** By name. Each is made again for every run, with its own waits. */
export const scripts: Readonly<Record<string, ScriptMaker>> = {
  text: () =>
    script("text", [
      answer({ thinking: "I should look at it first.", text: "I look at the three files, one after the other." }, [
        read("a.txt"),
        read("b.txt"),
      ]),
      answer({ thinking: "Nothing of note. ".repeat(6), text: "They say what they are. ".repeat(8) }, []),
    ]),
  files(random) {
    const ids = new EffectIds();
    return script("files", [
      answer(
        { text: "I read." },
        names.map((name) => read(name)),
      ),
      answer({ thinking: "Edit.", text: "I edit, and write." }, [edit(ids, "a.txt"), write(ids, "new/d.txt")]),
      answer({ text: "Now all at once." }, [patch(ids, names, ["new/e.txt"])]),
      answer({}, [edit(ids, random.pick(names)), edit(ids, "new/e.txt")]),
      last,
    ]);
  },
  commands(random) {
    const ids = new EffectIds();
    return script("commands", [
      answer({ text: "I run something." }, [command(ids, random)]),
      answer({ thinking: "Two more." }, [command(ids, random), command(ids, random)]),
      answer({ text: "And one in the background." }, [commandWithChild(ids, random), command(ids, random)]),
      last,
    ]);
  },
  background(random) {
    const ids = new EffectIds();
    return script("background", [
      answer({ text: "I start a server." }, [startInBackground(ids, random)]),
      answer({ thinking: "Beside it." }, [readBackground(), command(ids, random), edit(ids, "a.txt")]),
      answer({ text: "Another one." }, [startInBackground(ids, random), command(ids, random), stopBackground()]),
      last,
    ]);
  },
  agents(random) {
    const ids = new EffectIds();
    return script("agents", [
      answer({ text: "I hand it over." }, [spawn("implement")]),
      answer({ thinking: "My part." }, [read("a.txt"), edit(ids, "a.txt"), command(ids, random)]),
      answer({ text: "My part is done. ".repeat(4) }, []),
      answer({ text: "And two at once." }, [spawn("implement"), spawn("bash")]),
      answer({}, [command(ids, random)]),
      answer({}, [command(ids, random)]),
      answer({ text: "My part is done. ".repeat(4) }, []),
      answer({ text: "My part is done. ".repeat(4) }, []),
      answer({ text: "I do the rest." }, [command(ids, random), write(ids, "f.txt")]),
      last,
    ]);
  },
  // A server and hooks run beside the turn.
  servers(random) {
    const ids = new EffectIds();
    const made = script(
      "servers",
      [
        answer({ text: "I note something." }, [note(ids, random)]),
        answer({ thinking: "Once more." }, [note(ids, random), asked(command(ids, random))]),
        answer({ text: "And a file." }, [asked(write(ids, "f.txt")), note(ids, random)]),
        last,
      ],
      [...yolo, "--config", "extensions.toml"],
    );
    return { ...made, files: { ...made.files, ...extensionFiles } };
  },
  mixed(random) {
    const ids = new EffectIds();
    return script("mixed", [
      answer(
        { thinking: "hm" },
        names.map((name) => read(name)),
      ),
      answer({ text: "Reads and effects in one batch." }, [
        find("*.txt"),
        command(ids, random),
        search("This"),
        read("b.txt"),
        edit(ids, "a.txt"),
        find("**/*"),
      ]),
      answer({ text: "Once more." }, [patch(ids, ["b.txt", "c.txt"], []), command(ids, random), write(ids, "f.txt")]),
      last,
    ]);
  },
  failing(random) {
    const ids = new EffectIds();
    return script("failing", [
      answer({ text: "This will not work." }, [missing, unknownTool, failingCommand(ids)]),
      answer({ thinking: "Again." }, [malformed, read("a.txt"), read("not-there.txt")]),
      answer({ text: "This will." }, [edit(ids, "a.txt"), command(ids, random)]),
      last,
    ]);
  },
  retries(random) {
    const ids = new EffectIds();
    const faults = [
      { type: "http", status: 500 },
      { type: "cut", after_bytes: 700 },
      { type: "reset" },
      { type: "error-event", after_bytes: 500 },
    ];
    return script("retries", [
      answer({ text: "I begin. ".repeat(5), fault: random.pick(faults) }, [command(ids, random)]),
      answer({ thinking: "On.", fault: random.pick(faults) }, [read("a.txt"), write(ids, "g.txt")]),
      answer({ text: "And on. ".repeat(9), fault: random.pick(faults) }, [command(ids, random)]),
      last,
    ]);
  },
  // The window is nearly full after the second answer: from there on a summary is made beside the turn, and one call is waited for.
  summaries(random) {
    const ids = new EffectIds();
    // Which of two requests takes which answer is a matter of luck: a summary with calls in it is none.
    const answers = [
      answer({ text: "I read." }, [read("a.txt"), read("b.txt"), command(ids, random)]),
      answer({ text: "I continue. ".repeat(4), ...filling(22_000) }, [command(ids, random), edit(ids, "a.txt")]),
      answer({ text: "So far so good. ".repeat(12), ...filling(24_000) }, [command(ids, random)]),
      answer({ text: "Three files were read. ".repeat(12), ...filling(25_800) }, []),
      answer({ text: "And one more. ".repeat(4), ...filling(26_600) }, [write(ids, "f.txt"), command(ids, random)]),
      last,
      last,
      last,
    ];
    return script("summaries", answers, [...yolo, ...tortureWires.flatMap(nearlyFull)]);
  },
  denied(random) {
    const ids = new EffectIds();
    const answers = [
      answer({ text: "I may edit, but not run." }, [read("a.txt"), command(ids, random)]),
      answer({ text: "So I edit." }, [edit(ids, "a.txt"), command(ids, random), read("b.txt")]),
      last,
    ];
    return script("denied", answers, ["--permission-mode", "accept-edits"]);
  },
};

function filling(input: number): object {
  return { usage: { input, output: 200 } };
}

/** A request may have 26,508 tokens. */
function nearlyFull(wire: TortureWire): readonly string[] {
  const model = `models."${modelOf(wire)}"`;
  return ["--set", `${model}.context_window=32000`, "--set", `${model}.max_output_tokens=4096`];
}

const missing: PlannedCall = {
  call: { name: "edit_file", arguments: { path: "a.txt", old_string: "no such words", new_string: "x" } },
  effects: [],
};
const unknownTool: PlannedCall = { call: { name: "no_such_tool", arguments: {} }, effects: [] };
const malformed: PlannedCall = { call: { name: "read_file", arguments: { file: 7, nonsense: true } }, effects: [] };

/** @throws for a name that is none of them */
export function makeScript(name: string, random: SeededRandom): Script {
  const maker = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (maker === undefined) throw new Error(`--scenario takes ${Object.keys(scripts).join(", ")}, not ${name}`);
  return maker(random);
}
