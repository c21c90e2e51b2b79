import { hookCatalog, type HookPoint } from "@capstan/hook-points";

/** What a hook does. */
export type HookDeed = "refuses" | "changes" | "stops" | "fails" | "is late";

/** What comes of it. */
export type HookEffect =
  | "nothing changes"
  | "the turn ends"
  | "the call is denied"
  | "the call is another one, judged again"
  | "a user is asked"
  | "the model reads its words"
  | "the model reads another result, and its words"
  | "no model is asked for a summary"
  | "the model continues"
  | "the turn ends as it is";

export const hookDeeds: readonly HookDeed[] = ["refuses", "changes", "stops", "fails", "is late"];

/** Each event with what comes of each deed. `hooks/test/every-event.test.ts` shows each cell. */
export const hookRows: readonly (HookPoint & { readonly effects: Readonly<Record<HookDeed, HookEffect>> })[] =
  hookCatalog.map((point) => ({
    ...point,
    effects: {
      refuses: refused(point),
      changes: changed(point),
      stops: stopped(point),
      fails: unchanged(point),
      "is late": point.may.includes("verdict") ? "a user is asked" : "nothing changes",
    },
  }));

function refused({ event, before, may }: HookPoint): HookEffect {
  if (may.includes("verdict")) return "the call is denied";
  if (before === "summary") return "no model is asked for a summary";
  if (before === "end") return "the model continues";
  if (before === "batch") return "the model reads its words";
  // A program that ends with 2 refuses no session.
  const isStart = event === "SessionStart" || event === "SubagentStart";
  return may.includes("block") && !isStart ? "the turn ends" : "nothing changes";
}

/** The question that a hook did not answer is asked. */
function unchanged({ event }: HookPoint): HookEffect {
  return event === "PermissionRequest" ? "a user is asked" : "nothing changes";
}

function changed(point: HookPoint): HookEffect {
  const { event, may } = point;
  if (event === "PermissionRequest") return unchanged(point);
  if (may.includes("arguments")) return "the call is another one, judged again";
  if (may.includes("result")) return "the model reads another result, and its words";
  return may.includes("context") ? "the model reads its words" : "nothing changes";
}

function stopped({ before, may }: HookPoint): HookEffect {
  if (!may.includes("stop")) return "nothing changes";
  return before === "end" ? "the turn ends as it is" : "the turn ends";
}
