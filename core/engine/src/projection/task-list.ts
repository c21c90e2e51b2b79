import type { Task } from "@capstan/protocol";

/** The task list, as the model reads it again when what it was told of it is no longer shown. */
export function taskList(tasks: readonly Task[]): string {
  return ["The task list:", ...tasks.map(({ step, status }) => `- [${marks[status]}] ${step}`)].join("\n");
}

const marks: Readonly<Record<Task["status"], string>> = { pending: " ", "in-progress": ">", done: "x" };
