import { noCheckpoints } from "../no-checkpoints.ts";
import type { Checkpoints, Tool, ToolCatalog, ToolResult, ToolRunContext } from "@capstan/ports";
import { type EffectClass, type JournalRecord, ToolRefusal, unreachable } from "@capstan/protocol";
import { actionDraft, sessionTools, toolEffects } from "../builders/calls.ts";
import type { Gates } from "./gates.ts";
import type { Sabotage } from "./sabotage.ts";
import type { SimulatedDisk } from "./simulated-store.ts";
import type { SimulatedWorld } from "./simulated-world.ts";
import { toolEnds } from "./weights.ts";

/** What a tool of a simulated process reaches. */
export interface ToolSurroundings {
  readonly world: SimulatedWorld;
  readonly disk: SimulatedDisk;
  readonly gates: Gates;
  readonly sabotage: Sabotage;
}

/** The scripted three tools and those of the session, with effects that are counted, pauses everywhere, and probes that tell the truth. */
export function simulatedTools(surroundings: ToolSurroundings): ToolCatalog {
  const tools = [
    ...Object.entries(toolEffects).map(([name, effect]) => simulatedTool(name, effect, surroundings)),
    ...sessionTools.map((name) => simulatedTool(name, "session", surroundings)),
  ];
  return {
    definitions: () => tools.map((tool) => tool.definition),
    find: (name) => tools.find((tool) => tool.definition.name === name),
    route: (name, args) => {
      const tool = tools.find(({ definition }) => definition.name === name);
      return tool === undefined ? { type: "unknown" } : { type: "routed", tool, arguments: args, notes: [] };
    },
    check: (_tool, args) => ({ type: "fits", arguments: args }),
  };
}

function simulatedTool(name: string, effect: EffectClass, surroundings: ToolSurroundings): Tool {
  const { world, gates, sabotage } = surroundings;
  const { random } = world;
  return {
    definition: { name, description: `Does what ${name} says.`, inputSchema: { type: "object" } },
    aliases: [],
    effect,
    async prepare(args, context) {
      await gates.passOr("prepare", context.signal);
      if (random.happens(0.05))
        throw new ToolRefusal("rejected", "tool.bad-arguments", "Not run: it was not meant so.");
      return actionDraft(name, args);
    },
    async stage(_action, context) {
      await gates.passOr("stage", context.signal);
      if (random.happens(0.05)) throw new ToolRefusal("rejected", "tool.failed", "Not run: the file has changed.");
      return { settle: { files: [], runId: world.name("run") }, changes: [], proposal: `would ${name}`, data: null };
    },
    async run(_action, _staged, context) {
      if (random.happens(0.1)) await askOnce(name, context);
      if (effect === "read") {
        await gates.passOr("read", context.signal);
        return result(surroundings, name);
      }
      if (effect === "session") world.violations.push(`${name} concerns the session and was run`);
      checkIntent(surroundings, context.callId);
      const run = world.begin(context.callId, name, context.settle);
      await gates.passOr("begin", context.signal);
      if (run.void) throw new Error("it was ended before it did anything");
      world.act(run);
      if (random.happens(0.5)) context.onOutput("stdout", `${name} says something\n`);
      await gates.passOr("act", context.signal);
      world.end(run);
      return result(surroundings, name);
    },
    async probe(_action, settle, context) {
      await gates.passOr("probe", context.signal);
      const truth = world.probe(settle);
      return sabotage.probe?.(truth) ?? truth;
    },
  };
}

/** As a server does in the middle of a call. */
async function askOnce(name: string, context: ToolRunContext): Promise<void> {
  await context.ask?.(name, [{ question: "Which one?", options: [], multiple: false }]);
}

function result({ world: { random } }: ToolSurroundings, name: string): ToolResult {
  const end = random.weighted(toolEnds);
  switch (end) {
    case "ran":
      return { status: "ok", content: `${name} ran` };
    case "failed":
      return { status: "failed", code: "tool.failed", content: `${name} failed` };
    case "broke":
      throw new Error("it broke");
    default:
      return unreachable(end);
  }
}

/** Nothing effectful begins before its intent is on the disk. */
function checkIntent({ disk, world }: ToolSurroundings, callId: string): void {
  const last = disk.kept().findLast(({ record }) => isOfCall(record, callId));
  if (last?.record.type !== "tool-started") world.violations.push(`${callId} runs without a durable intent`);
}

/** Hooks of a call have records that name it, too, and say nothing of its intent. */
function isOfCall(record: JournalRecord, callId: string): boolean {
  return record.type.startsWith("tool-") && "callId" in record && record.callId === callId;
}

/** Keeps nothing, since there are no files: what matters is that it takes its time. */
export function simulatedCheckpoints({ gates }: ToolSurroundings): Checkpoints {
  return {
    async keep(_workspace, _scope, signal) {
      await gates.passOr("keep", signal);
      return { kept: { type: "files", files: [] }, left: [] };
    },
    since: async () => [],
    async apply(_workspace, effects, signal) {
      await gates.passOr("apply", signal);
      return effects.map(({ path }) => ({ type: "done", path }));
    },
    foresee: async (_workspace, effects) => effects.map(({ path }) => ({ type: "done", path })),
    describe: async () => [],
    propose: async (files, over) => await noCheckpoints.propose(files, over),
    copy: async (workspace, over, signal) => await noCheckpoints.copy(workspace, over, signal),
  };
}
