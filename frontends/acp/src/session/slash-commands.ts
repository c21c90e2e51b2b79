import type { Submission, UserContent } from "@capstan/protocol";
import type { AvailableCommand } from "../updates/update-types.ts";

/** A command of the user's own: a prompt with a name. */
export interface OwnCommand {
  readonly name: string;
  readonly about: string;
  /** What it takes; empty: nothing. */
  readonly takes: string;
}

/** What makes sense in an editor, beside what the editor has itself. */
const builtIn: readonly OwnCommand[] = [
  { name: "compact", about: "Replace older messages by a summary", takes: "" },
  { name: "undo", about: "Take back the last turn: conversation and files", takes: "" },
  { name: "redo", about: "Bring back what was taken back last", takes: "" },
];

export function availableCommands(own: readonly OwnCommand[]): readonly AvailableCommand[] {
  const others = own.filter(({ name }) => !builtIn.some((command) => command.name === name));
  return [...builtIn, ...others].map(({ name, about, takes }) => ({
    name,
    description: about === "" ? name : about,
    ...(takes === "" ? {} : { input: { hint: takes } }),
  }));
}

/** The words of a prompt that is nothing but a command; `undefined`: it is a prompt as any other. */
export function commandWords(content: readonly UserContent[]): string | undefined {
  const [only, ...others] = content;
  if (only?.type !== "text" || others.length > 0 || !only.text.startsWith("/")) return undefined;
  return only.text.trim();
}

/**
 * What a built-in command asks of the session; `undefined`: it is none.
 * @param turns  how many the conversation has
 */
export function builtInSubmission(words: string, submissionId: string, turns: number): Submission | undefined {
  switch (words) {
    case "/compact":
      return { type: "compact", submissionId };
    case "/undo":
      return { type: "rewind", keepTurns: Math.max(0, turns - 1), conversation: true, files: true, submissionId };
    case "/redo":
      return { type: "unwind", submissionId };
    default:
      return undefined;
  }
}
