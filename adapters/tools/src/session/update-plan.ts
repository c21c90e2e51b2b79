import { isJsonObject, type JsonValue, type Task } from "@capstan/protocol";
import { maxListNameLength, maxStepLength } from "./limits.ts";
import type { ToolCode } from "../tool-entry.ts";
import { sessionTool, textUpTo } from "./session-tool.ts";

/** Replaces the task list. */
export function createUpdatePlanTool(): ToolCode {
  return sessionTool("update_plan", async ({ plan, list }) => {
    const name = list === undefined ? "" : textUpTo(list, maxListNameLength).trim();
    const named = name === "" ? {} : { list: name };
    const tasks = (Array.isArray(plan) ? plan : []).map((item: JsonValue) => ({ ...toTask(item), ...named }));
    const done = tasks.filter(({ status }) => status === "done").length;
    const now = tasks.find(({ status }) => status === "in-progress");
    const doing = now === undefined ? "" : `, now: ${now.step}`;
    const called = name === "" ? "" : ` ${name}`;
    return {
      session: { type: "update-plan", tasks, ...named },
      summary:
        tasks.length === 0
          ? `Empty the task list${called}`
          : `Task list${called}: ${done} of ${tasks.length} done${doing}`,
    };
  });
}

function toTask(value: JsonValue): Task {
  const { step, status } = isJsonObject(value) ? value : {};
  const blocked = status === "blocked" ? ({ blocked: true } as const) : {};
  return { step: textUpTo(step, maxStepLength).trim(), status: statusOf(status), ...blocked };
}

function statusOf(status: JsonValue | undefined): Task["status"] {
  if (status === "completed") return "done";
  return status === "in_progress" ? "in-progress" : "pending";
}
