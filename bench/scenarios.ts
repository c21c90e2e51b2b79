import type { Scenario, ScenarioToolCall, ScenarioTurn } from "@capstan/rehearsal";
import { commandsRun, earlyTurn, lateTurn, parallelCalls, pieceBytes, streamBytes } from "./limits.ts";

/** Files of the workspace; calls take turns with them, so that no call repeats the one before. */
export const workspaceFiles: readonly string[] = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`);

/** Sections of a long answer as models write them. */
const sections = Math.ceil(streamBytes / 460);
const markdown = Array.from({ length: sections }, (_, at) => section(at + 1)).join("");
/** Words of its end. */
export const lastSection = `Section ${sections}`;

/** Of the Markdown answer, in UTF-8. */
export const markdownBytes: number = Buffer.byteLength(markdown);

function section(number: number): string {
  const sentence = "A sentence with **bold** words, `code` and a [link](https://example.org/a), as answers have them. ";
  return `## Section ${number}\n\n${sentence.repeat(3).trim()}\n\n- item one\n- item two 漢字\n\n\`\`\`js\nconst a${number} = 1;\nconsole.log(a${number});\n\`\`\`\n\n`;
}

/** What the model does in each measured run. */
export const scenarios = {
  shortAnswer: () => scenario([answer("Done.")]),
  toolTurns: () => scenario([...toolTurns(lateTurn), answer("Done.")]),
  commands: () =>
    scenario([...Array.from({ length: commandsRun }, (_, at) => calls([runCommand(at)])), answer("Done.")]),
  fewToolTurns: () => scenario([...toolTurns(earlyTurn), answer("Done.")]),
  longAnswer: () => scenario([answer("forty bytes of text, again and again... ".repeat(streamBytes / pieceBytes))]),
  /** Markdown of every kind, with letters of two cells. */
  markdownAnswer: () => scenario([answer(markdown)]),
  /** Ten thousand lines, and then an answer that takes some ten seconds. */
  linesThenAnswer: () =>
    scenario([
      answer(Array.from({ length: 10_000 }, (_, at) => `- item ${at}`).join("\n")),
      { ...answer(markdown), pace: { pieceBytes: pieceBytes * 100, firstByteDelayMs: 0, delayMs: 20 } },
    ]),
  /** Says something, and then nothing more. */
  hangingAnswer: () =>
    scenario([{ ...answer("word ".repeat(1000)), fault: { type: "stall", times: 1_000_000, afterBytes: 4000 } }]),
  parallelReads: () =>
    scenario([calls(Array.from({ length: parallelCalls }, (_, index) => readFile(index))), answer("Done.")]),
} as const satisfies Readonly<Record<string, () => Scenario>>;

export type ScenarioName = keyof typeof scenarios;

function toolTurns(count: number): readonly ScenarioTurn[] {
  return Array.from({ length: count }, (_, index) => calls([readFile(index)]));
}

function scenario(turns: readonly ScenarioTurn[]): Scenario {
  return { name: "benchmark", loop: true, requireKey: false, turns };
}

function answer(text: string): ScenarioTurn {
  return { ...plainTurn, text };
}

function calls(toolCalls: readonly ScenarioToolCall[]): ScenarioTurn {
  return { ...plainTurn, toolCalls, finish: "tool-calls" };
}

function readFile(index: number): ScenarioToolCall {
  return { name: "read_file", arguments: { path: workspaceFiles[index % workspaceFiles.length] ?? "" } };
}

/** None repeats the one before, and none is known to only read a named file. */
function runCommand(index: number): ScenarioToolCall {
  const path = workspaceFiles[index % workspaceFiles.length] ?? "";
  return { name: "run_command", arguments: { command: `wc -l ${path}; echo ${index}` } };
}

const plainTurn: ScenarioTurn = {
  thinking: "",
  text: "",
  toolCalls: [],
  finish: "stop",
  // Small and fixed: nothing is to be summarised on the way.
  usage: { input: 100, output: 10 },
  pace: { pieceBytes, firstByteDelayMs: 0, delayMs: 0 },
};
