import type { Activity, Status } from "./status.ts";

/** What happens, in a few words; empty where nothing does. Inert. */
export function activityText(activity: Activity): string {
  switch (activity.type) {
    case "idle":
      return "";
    case "preparing":
      return "waiting for the model";
    case "thinking":
      return "the model thinks";
    case "answering":
      return "the model answers";
    case "calling":
      return `the model writes a call of ${activity.tool}`;
    case "running": {
      const others = activity.summaries.length - 1;
      return `▸ ${activity.summaries.at(-1) ?? ""}${others > 0 ? ` (and ${others} more)` : ""}`;
    }
    case "retrying":
      return "waiting to ask the model again";
    case "waiting":
      return "waiting for an answer";
    case "summarizing":
      return "summarising older messages";
    case "restoring":
      return "restoring files";
  }
}

const sandboxWords = { enforced: "sandbox", partial: "sandbox not whole", none: "no sandbox" } as const;

/** The model, the mode and how commands are kept apart, as far as they are known. */
export function settingsText({ model, mode, sandbox }: Status): readonly string[] {
  return [model, mode, sandbox === null ? null : sandboxWords[sandbox.level]].filter((text) => text !== null);
}
