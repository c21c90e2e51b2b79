import { type SessionConfig, type ToolDefinition, unreachable } from "@capstan/protocol";

/** The tools the model is offered now: plan mode is another set of tools, not a request to leave some alone. */
export function offeredTools(config: SessionConfig): readonly ToolDefinition[] {
  return config.tools.every((tool) => isOffered(tool, config))
    ? config.tools
    : config.tools.filter((tool) => isOffered(tool, config));
}

/** Whether a tool the session has makes sense in its present mode. A tool that was not announced is not judged here. */
export function isOfferedNow(name: string, config: SessionConfig): boolean {
  const tool = config.tools.find((known) => known.name === name);
  return tool === undefined || tool.offered === "unlisted" || isOffered(tool, config);
}

function isOffered({ offered }: ToolDefinition, { mode, sandbox }: SessionConfig): boolean {
  switch (offered) {
    case undefined:
      return true;
    case "plan":
      return mode === "plan";
    case "not-plan":
      return mode !== "plan";
    case "unlisted":
      return false;
    case "sandboxed-in-plan":
      return mode !== "plan" || sandbox.isolation.type === "enforced";
    default:
      return unreachable(offered);
  }
}

/** What the model is shown before everything else. Outside plan mode exactly what the session says, so that caches hold. */
export function systemText(config: SessionConfig): string {
  return config.mode === "plan" ? `${config.systemPrompt}\n\n${planModeText}${handOver(config)}` : config.systemPrompt;
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
