import type { ContextPart } from "@capstan/protocol";
import { configNow } from "../model/config-now.ts";
import type { SessionState } from "../model/state.ts";

/** What the model is shown when plan mode begins and ends, with the words of the turn in which it learns of it. */
export function modeParts(state: SessionState): readonly ContextPart[] {
  const { knownFacts } = state;
  if (configNow(state)?.mode === "plan") return [{ name: partName, text: isOn }];
  return knownFacts[partName] === undefined ? [] : [{ name: partName, text: isOver }];
}

const partName = "plan-mode";
const isOn = "[Plan mode is on: read, ask and plan; change nothing.]";
const isOver = "[Plan mode is over: the tools that make changes are there, under the session's rules.]";
