import type { ChainedEvent } from "@capstan/ports";
import { type JournalRecord, type ProposalRecord, unreachable, type UserContent } from "@capstan/protocol";
import type { AuditEntry, AuditFact } from "./audit-entry.ts";
import { factOfTool } from "./fact-of-tool.ts";

/** A session as an audit reports it, in the order of its journal. Nothing is left out but pieces of answers and what is for screens. */
export function auditTrail(events: readonly ChainedEvent[]): readonly AuditEntry[] {
  const actions = new Map<string, string>();
  return events.flatMap(({ seq, at, hash, record }) => {
    if (record.type === "tool-decided") actions.set(record.callId, record.action.summary);
    if (record.type === "turn-started" && record.call !== undefined) actions.set(record.call.callId, record.call.name);
    if (record.type === "step-completed") nameCalls(record, actions);
    const what = factOf(record, (callId) => actions.get(callId) ?? callId);
    return what === undefined ? [] : [{ seq, at: new Date(at).toISOString(), hash, what }];
  });
}

/** A call that was never judged is known by its tool. */
function nameCalls(
  { message }: Extract<JournalRecord, { type: "step-completed" }>,
  actions: Map<string, string>,
): void {
  for (const block of message.content) if (block.type === "tool-call") actions.set(block.callId, block.name);
}

function factOf(record: JournalRecord, actionOf: (callId: string) => string): AuditFact | undefined {
  switch (record.type) {
    case "session-started":
    case "session-configured":
    case "session-titled":
    case "session-recovered":
    case "notice":
      return factOfSession(record);
    case "turn-queued":
    case "queue-changed":
    case "turn-steered":
    case "turn-ended":
      return factOfTurn(record);
    case "turn-started":
      return factOfTurn(record);
    case "step-started":
    case "step-completed":
    case "step-abandoned":
    case "step-retrying":
      return factOfStep(record);
    case "tool-decided":
    case "tool-started":
    case "tool-deferred":
    case "tool-probed":
    case "tool-restarted":
    case "tool-finished":
      return factOfTool(record, actionOf);
    case "interaction-opened":
      return { type: "user-asked", question: questionOf(record, actionOf) };
    case "interaction-resolved":
      return factOfAnswer(record);
    case "grant-added":
      return { type: "noted", text: `an approval is remembered (${record.grant.scope}): ${record.grant.rule.text}` };
    case "grant-revoked":
      return { type: "noted", text: `a remembered approval holds no more: ${record.grantId}` };
    case "call-edited":
      return { type: "noted", text: `a user changed the arguments of: ${actionOf(record.callId)}` };
    case "compaction-completed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
      return { type: "noted", text: shownInstead(record) };
    case "rewind-started":
    case "rewind-finished":
      return factOfRewind(record);
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
      return factOfProposals(record);
    case "hook-finished":
      return { type: "noted", text: factOfHooks(record) };
    case "hook-started":
    case "context-packed":
    case "compaction-started":
    case "compaction-failed":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "tool-output-delta":
    case "tool-effects":
      return undefined;
    default:
      return unreachable(record);
  }
}

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

function factOfAnswer({ origin, answer }: Of<"interaction-resolved">): AuditFact {
  const message = answer.type === "deny" && answer.message !== undefined ? { message: answer.message } : {};
  return { type: "user-answered", by: origin, answer: answer.type, ...message };
}

function factOfProposals(record: ProposalRecord): AuditFact {
  return { type: "noted", text: proposalText(record) };
}

function proposalText(record: ProposalRecord): string {
  const by = "origin" in record ? (record.origin.user ?? record.origin.frontend) : "";
  switch (record.type) {
    case "proposals-applying":
      return `${by} applies proposed changes of ${record.files.length} files`;
    case "proposals-applied":
      return `proposed changes are in ${record.applied.length} files; ${record.conflicts.length} were left alone`;
    case "proposals-refused":
      return `${by} refused proposed changes of ${record.refused.length} files`;
    default:
      return unreachable(record);
  }
}

function factOfSession(
  record: Of<"session-started" | "session-configured" | "session-titled" | "session-recovered" | "notice">,
): AuditFact {
  switch (record.type) {
    case "session-started": {
      const { origin, workspace, version, forkedFrom, importedFrom } = record;
      const from = {
        ...(forkedFrom === undefined ? {} : { forkedFrom: forkedFrom.sessionId }),
        ...(importedFrom === undefined ? {} : { importedFrom }),
      };
      return { type: "opened", by: origin, directory: workspace.cwd, version, ...from };
    }
    case "session-configured": {
      const { model, mode, tools } = record.config;
      return { type: "configured", model: `${model.provider}/${model.id}`, mode, tools: tools.length };
    }
    case "session-titled":
      return { type: "noted", text: `the session was given the title ${JSON.stringify(record.title)}` };
    case "session-recovered":
      return { type: "noted", text: `a process opened the session after another had died: ${record.found}` };
    case "notice":
      return { type: "noted", text: record.text };
    default:
      return unreachable(record);
  }
}

function factOfTurn(
  record: Of<"turn-queued" | "queue-changed" | "turn-steered" | "turn-started" | "turn-ended">,
): AuditFact | undefined {
  switch (record.type) {
    case "turn-queued":
      return { type: "noted", text: "what was asked waits for the running turn to end" };
    case "queue-changed":
      return { type: "noted", text: `what waited was ${record.change.type} (${record.origin.frontend})` };
    case "turn-steered":
      return { type: "asked", by: record.origin, text: textOf(record.content) };
    case "turn-started":
      return { type: "asked", by: record.origin, text: textOf(record.content) };
    case "turn-ended": {
      const { outcome, message, rolledBack } = record;
      return { type: "ended", outcome, rolledBack, ...(message === undefined ? {} : { message }) };
    }
    default:
      return unreachable(record);
  }
}

function factOfStep(record: Of<"step-started" | "step-completed" | "step-abandoned" | "step-retrying">): AuditFact {
  switch (record.type) {
    case "step-started":
      return { type: "model-called", model: record.model, attempt: record.attempt };
    case "step-completed": {
      const { content, origin } = record.message;
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      const calls = content.flatMap((block) =>
        block.type === "tool-call"
          ? [
              {
                call: block.callId,
                tool: block.name,
                arguments: block.arguments.type === "json" ? block.arguments.value : block.arguments.text,
              },
            ]
          : [],
      );
      return { type: "answered", model: `${origin.provider}/${origin.model}`, text, calls, costUsd: record.costUsd };
    }
    case "step-abandoned":
      return { type: "model-failed", text: record.failure?.message ?? `no whole answer: ${record.cause}` };
    case "step-retrying":
      return { type: "model-failed", text: `${record.failure.message}; asked again` };
    default:
      return unreachable(record);
  }
}

/** What the model is shown in place of what was said. */
function shownInstead(
  record: Of<"compaction-completed" | "compaction-selected" | "compaction-edited" | "results-shortened">,
): string {
  switch (record.type) {
    case "compaction-completed":
      return `a summary stands in for the first ${record.messageCount} messages`;
    case "compaction-selected":
      return record.stepId === null
        ? "the model is shown the original messages again"
        : `the model is shown the summary ${record.stepId} in place of earlier messages`;
    case "compaction-edited":
      return `a user changed the words of the summary ${record.stepId}`;
    case "results-shortened":
      return `the model is shown ${record.characters} characters of each long tool result`;
    default:
      return unreachable(record);
  }
}

function factOfHooks({ event, outcomes, answer }: Of<"hook-finished">): string {
  const ended = outcomes.map(({ name, by, result, message }) => {
    const why = message === undefined ? "" : ` (${message})`;
    return `${name} of the ${by}: ${result}${why}`;
  });
  const { verdict, arguments: changed, block, stop } = answer;
  const said = [
    ...(verdict === undefined ? [] : [`${verdict.verdict}, because: ${verdict.reason}`]),
    ...(changed === undefined ? [] : ["the arguments are others now"]),
    ...(block === undefined ? [] : [`refused: ${block}`]),
    ...(stop === undefined ? [] : [`the turn ends: ${stop}`]),
  ];
  return `hooks of ${event}: ${[...ended, ...said].join("; ")}`;
}

function factOfRewind(record: Of<"rewind-started" | "rewind-finished">): AuditFact {
  if (record.type === "rewind-started") {
    const what = record.direction === "back" ? "taken back" : "brought back";
    const text = `turns after the first ${record.keepTurns} are ${what} by ${record.origin.frontend}; ${record.files.length} files`;
    return { type: "noted", text };
  }
  const conflicts = record.conflicts.map((conflict) => `${conflict.path} was left alone (${conflict.reason})`);
  return { type: "noted", text: [`${record.restored.length} files restored`, ...conflicts].join("; ") };
}

function questionOf({ interaction }: Of<"interaction-opened">, actionOf: (callId: string) => string): string {
  const { request } = interaction;
  switch (request.type) {
    case "approval":
      return `may this run: ${request.action.summary}? (${request.reason})`;
    case "question":
      return request.questions.map(({ question }) => question).join("; ");
    case "plan-review":
      return `may this plan be carried out: ${request.plan}`;
    case "budget":
      return `the limit ${request.limit} is reached (${request.used} of ${request.allowed}); continue?`;
    case "recovery":
      return `what became of: ${request.calls.map((call) => actionOf(call.callId)).join(", ")}?`;
    default:
      return unreachable(request);
  }
}

function textOf(content: readonly UserContent[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}
