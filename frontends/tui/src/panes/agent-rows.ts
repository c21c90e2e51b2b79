import { activityText, cutRow, type Row, rowOf, type Status, runningTimeText } from "@capstan/view";

/** An agent at work. */
export interface ShownAgent {
  /** Inert, as is the next. */
  readonly name: string;
  readonly task: string;
  readonly status: Status;
}

/** Agents that are shown at once. */
const shownAgents = 4;

/** The agents at work, a row each: what each does, for how long, and what it cost. */
export function agentRows(agents: readonly ShownAgent[], columns: number): readonly Row[] {
  if (agents.length === 0) return [];
  const rows = agents.slice(0, shownAgents).map(({ name, task, status }) => {
    const { activity, elapsedMs, costUsd } = status;
    const doing = activityText(activity);
    const parts = [
      doing === "" ? task : doing,
      ...(elapsedMs === null ? [] : [runningTimeText(elapsedMs)]),
      ...(costUsd === null || costUsd === 0 ? [] : [`$${costUsd.toFixed(2)}`]),
    ];
    return cutRow(
      [
        { text: `  ${name} `, roles: [activity.type === "waiting" ? "warning" : "accent"] },
        { text: parts.join(" · "), roles: ["muted"] },
      ],
      columns,
    );
  });
  const left = agents.length - rows.length;
  const head = `agents: ${agents.length} at work  (Tab: look, steer, stop)`;
  return [
    cutRow(rowOf(head, "muted"), columns),
    ...rows,
    ...(left > 0 ? [rowOf(`  … and ${left} more`, "muted")] : []),
  ];
}
