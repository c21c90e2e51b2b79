import type { CallToProbe, Probe } from "@capstan/engine";
import type { ToolContext } from "@capstan/ports";
import { type FileEffect, type Finding, messageOf } from "@capstan/protocol";
import { redactChanges, redactOutcome } from "../redact-outcome.ts";
import type { ActionPorts, DecisionPorts } from "../runtime-ports.ts";

/** Finds out what became of calls whose process died: what their tools can prove, and what changed in the files. */
export async function probeCalls(
  calls: readonly CallToProbe[],
  ports: DecisionPorts & ActionPorts,
  context: ToolContext,
): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  // One after the other: a probe may have to end what a call left running.
  for (const call of calls) probes.push(await probeCall(call, ports, context));
  return probes;
}

async function probeCall(call: CallToProbe, ports: DecisionPorts & ActionPorts, context: ToolContext): Promise<Probe> {
  const finding = await findingOf(call, ports, context);
  const effects = finding.type === "untouched" ? [] : await effectsOf(call, ports, context);
  return { callId: call.callId, finding: redacted(finding, ports), effects };
}

async function findingOf(
  call: CallToProbe,
  ports: DecisionPorts & ActionPorts,
  context: ToolContext,
): Promise<Finding> {
  const { action, settle, callId, output } = call;
  const tool = ports.tools.find(action.tool);
  if (tool?.probe === undefined) {
    return {
      type: "in-doubt",
      text: `Nothing can be proved of it: ${action.tool} leaves no trace that could be looked at.`,
    };
  }
  try {
    return await tool.probe(action, settle, { ...context, callId, output });
  } catch (error) {
    return { type: "in-doubt", text: `Looking at what it did failed: ${messageOf(error)}` };
  }
}

async function effectsOf(
  { checkpoint }: CallToProbe,
  ports: DecisionPorts & ActionPorts,
  { signal }: ToolContext,
): Promise<readonly FileEffect[]> {
  if (checkpoint === null) return [];
  try {
    return await ports.checkpoints.since(checkpoint, signal);
  } catch (error) {
    ports.report(error);
    return [];
  }
}

function redacted(finding: Finding, { redact }: DecisionPorts): Finding {
  if (finding.type !== "ended") return { ...finding, text: redact(finding.text) };
  const outcome = redactOutcome(finding.outcome, redact);
  if (outcome.type !== "done" && outcome.type !== "failed") return { type: "in-doubt", text: outcome.content };
  return { ...finding, outcome, changes: redactChanges(finding.changes, redact) };
}
