import type { ContextPart } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";

/** What the model is told of plan mode's beginning and end, with the words of the turn in which it learns of it. */
export function modeParts({ config, told }: SessionState): readonly ContextPart[] {
  if (config?.mode === "plan") return [{ name: partName, text: isOn }];
  return told[partName] === undefined ? [] : [{ name: partName, text: isOver }];
}

const partName = "plan-mode";
const isOn = "[Plan mode is on: read, ask and plan; change nothing.]";
const isOver = "[Plan mode is over: the tools that make changes are there, under the session's rules.]";
