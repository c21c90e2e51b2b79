import { hookCatalog } from "@capstan/hook-points";
import type {
  AskPolicy,
  HookEntry,
  OnUnknown,
  PermissionMode,
  PlanRole,
  SessionConfig,
  ToolDefinition,
  ToolOffer,
  ToolStrategy,
} from "@capstan/protocol";
import { toolStrategies } from "@capstan/protocol";
import { allowing, denying, noSandbox, sessionConfig } from "../builders/session-config.ts";

const modes: readonly PermissionMode[] = ["auto", "default", "accept-edits", "plan"];
const askPolicies: readonly AskPolicy[] = ["ask", "deny"];
const onUnknowns: readonly OnUnknown[] = ["fail", "tell-model", "ask"];

const planRoles: Readonly<Record<string, PlanRole>> = {
  change: { type: "writes", argument: "content" },
  present: { type: "presents" },
};

const offers: readonly (readonly [name: string, offered: ToolOffer | undefined])[] = [
  ["look", undefined],
  ["change", "not-plan"],
  ["act", "sandboxed-in-plan"],
  ["ask", undefined],
  ["note", undefined],
  ["present", "plan"],
  ["seek", undefined],
];

/** It waits until a call of `seek` has found it. */
const hidden: ToolDefinition = {
  name: "hidden",
  description: "Does what hidden says.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  deferred: true,
};

/** The scripted tools and those of the session, each offered where it makes sense. */
const toolsByMode: readonly ToolDefinition[] = [
  ...offers.map(([name, offered]) => ({
    name,
    description: `Does what ${name} says.`,
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
    ...(offered === undefined ? {} : { offered }),
    ...(planRoles[name] === undefined ? {} : { planRole: planRoles[name] }),
  })),
  hidden,
];

/** Settings by number: every strategy, mode, askPolicy and way of recovery comes up, with tight limits in some. */
/** What a client may change of it; the rest is set where the host starts. */
export function settingsVariant(variant: number): Partial<SessionConfig> {
  const { mode, model, fallbacks, strategy, limits, onUnknown } = configVariant(variant);
  return { mode, model, fallbacks, strategy, limits, onUnknown };
}

const hooksOfAll: readonly HookEntry[] = hookCatalog.map(({ event }, index) => ({
  id: `hook-${index}`,
  event,
  matcher: event === "PreToolUse" ? "change|act|look" : "",
  name: `[[hooks.${event}]] 1`,
  by: index % 2 === 0 ? "user" : "workspace",
}));

export function configVariant(variant: number): SessionConfig {
  const tight = variant % 5 === 4;
  return sessionConfig({
    strategy: pick<ToolStrategy>(toolStrategies, variant),
    mode: pick(modes, Math.floor(variant / 3)),
    askPolicy: pick(askPolicies, Math.floor(variant / 2)),
    onUnknown: pick(onUnknowns, Math.floor(variant / 4)),
    // Some questions count as denied after a while.
    interactionExpiryMs: variant % 3 === 0 ? 60_000 : null,
    tools: toolsByMode,
    // Some are asked about everything, and some about nothing.
    ...(variant % 5 === 1 ? { hooks: hooksOfAll } : {}),
    sandbox: variant % 2 === 0 ? noSandbox : { ...noSandbox, isolation: { type: "enforced" } },
    policy: { rules: variant % 2 === 0 ? [allowing("act")] : [denying("act"), allowing("change")] },
    // In some the window is so small that summaries are made beside turns, and waited for.
    ...(variant % 4 === 3
      ? { model: { ...sessionConfig().model, contextWindowTokens: 1311, maxOutputTokens: 100 } }
      : {}),
    // Some have another model to turn to.
    fallbacks:
      variant % 3 === 1 ? [{ ...sessionConfig().model, provider: "other", id: "model-2", wire: "google" }] : [],
    ...(tight
      ? {
          limits: {
            maxToolIterationsPerTurn: 2,
            maxModelCallsPerTurn: 3,
            maxToolCallsPerBatch: 2,
            maxTurnDurationMs: 60_000,
            maxParallelReads: 1,
            maxFilesWrittenPerTurn: 1,
          },
        }
      : {}),
  });
}

/** How many variants differ. */
export const configVariants = 24;

function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
