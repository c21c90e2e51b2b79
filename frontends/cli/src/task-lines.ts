import type { Task } from "@capstan/protocol";
import { inertLine } from "@capstan/view";

/** The task list for people, a line each, inert; what is beyond `maxLines` is counted. */
export function taskLines(tasks: readonly Task[], maxLines: number = shownTasks): readonly string[] {
  const lines = tasks.slice(0, maxLines).map(({ step, status, blocked, list }) => {
    const of = list === undefined ? "" : ` (${inertLine(list, listCharacters)})`;
    return `${blocked === true ? "⊘" : marks[status]} ${inertLine(step, stepCharacters)}${of}`;
  });
  return tasks.length > maxLines ? [...lines, `… ${tasks.length - maxLines} more`] : lines;
}

const marks: Readonly<Record<Task["status"], string>> = { pending: "☐", "in-progress": "▸", done: "☑" };
const shownTasks = 30;
const stepCharacters = 160;
const listCharacters = 40;
