import { type ContextPart, type SessionConfig, type UserContent, userText } from "@capstan/protocol";

/** What the model is shown before everything else. Outside plan mode exactly what the session says, so that caches hold. */
export function systemText(config: SessionConfig): string {
  const said = [config.systemPrompt, ...(config.personas ?? []).map(({ prompt }) => prompt)];
  const planning = config.mode === "plan" ? [`${planModeText}${handOver(config)}`] : [];
  return [...said, ...planning].filter((text, at) => at === 0 || text !== "").join("\n\n");
}

function handOver({ tools }: SessionConfig): string {
  const presenting = tools.find(({ planRole }) => planRole?.type === "presents");
  return presenting === undefined
    ? "When the plan is complete, give the whole plan as your answer, and end there."
    : `When the plan is complete, present it with ${presenting.name}; the user then approves it, wants it changed, or cancels it.`;
}

const planModeText =
  "Plan mode is on. Look around with the tools you have; nothing can be changed now, by no tool and no command. " +
  "Work out how to do what was asked: what is there, which files change and how, and how it will be checked. Ask where a choice is the user's. ";

/**
 * What the model is shown when plan mode begins and ends, with the words of the turn in which it learns of it.
 * @param known  what it has been shown of the workspace and the session, by part name
 */
export function modeParts(
  config: SessionConfig | null,
  known: Readonly<Record<string, string>>,
): readonly ContextPart[] {
  if (config?.mode === "plan") return [{ name: partName, text: isOn }];
  return known[partName] === undefined ? [] : [{ name: partName, text: isOver }];
}

const partName = "plan-mode";
const isOn = "[Plan mode is on: read, ask and plan; change nothing.]";
const isOver = "[Plan mode is over: the tools that make changes are there, under the session's rules.]";

/** The words that begin the turn which carries a plan out. `null`: nothing was written down of it. */
export function planToCarryOut(plan: string | null): readonly UserContent[] {
  return userText(
    plan === null
      ? "Carry out the plan. I have approved it."
      : `Carry out this plan, which I have approved:\n\n${plan}`,
  );
}

/** All that a turn with a clean context is shown of what was said before it. */
export const cleanSummary = "Before this, a plan was worked out and approved. It follows; nothing else was done.";
