import type { Task } from "@capstan/protocol";
import { inertLine } from "@capstan/view";

/** The task list for people, a line each, inert; what is beyond `maxLines` is counted. */
export function taskLines(tasks: readonly Task[], maxLines: number = shownTasks): readonly string[] {
  const lines = tasks
    .slice(0, maxLines)
    .map(({ step, status }) => `${marks[status]} ${inertLine(step, stepCharacters)}`);
  return tasks.length > maxLines ? [...lines, `… ${tasks.length - maxLines} more`] : lines;
}

const marks: Readonly<Record<Task["status"], string>> = { pending: "☐", "in-progress": "▸", done: "☑" };
const shownTasks = 30;
const stepCharacters = 160;
