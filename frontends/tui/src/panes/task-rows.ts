import type { Task } from "@capstan/protocol";
import { cutRow, inertLine, type Row, rowOf } from "@capstan/view";

const lineCharacters = 300;
const marks = { pending: "☐ ", "in-progress": "▸ ", done: "☑ " } as const;
/** Tasks that are shown at once. */
const shownTasks = 6;

/** The model's task list, with what it works on in the middle; what is left out is counted. */
export function taskRows(tasks: readonly Task[], columns: number): readonly Row[] {
  if (tasks.length === 0) return [];
  const done = tasks.filter(({ status }) => status === "done").length;
  const open = tasks.findIndex(({ status }) => status !== "done");
  const from = Math.max(0, Math.min((open === -1 ? tasks.length : open) - 2, tasks.length - shownTasks));
  const shown = tasks.slice(from, from + shownTasks).map(({ step, status, blocked, list }) =>
    cutRow(
      [
        {
          text: `  ${blocked === true ? "⊘ " : marks[status]}`,
          roles: status === "in-progress" ? ["accent"] : ["muted"],
        },
        {
          text: inertLine(list === undefined ? step : `${list}: ${step}`, lineCharacters),
          roles: status === "pending" ? [] : [status === "done" ? "muted" : "accent"],
        },
      ],
      columns,
    ),
  );
  return [cutRow(rowOf(`tasks: ${done} of ${tasks.length} done  (Ctrl-T hides them)`, "muted"), columns), ...shown];
}
