import type {
  Action,
  AssistantBlock,
  CommandUse,
  Interaction,
  InteractionRequest,
  JournalRecord,
  Rule,
  SessionEvent,
} from "@capstan/protocol";
import { redactObject } from "./redact-outcome.ts";
import type { Redactor } from "./redact.ts";

/**
 * An event as people and frontends see it. The journal holds a call's arguments exactly, because they are what runs; whoever
 * looks on sees them without secrets. The digest stays that of what runs.
 */
export function shownEvent(event: SessionEvent, redact: Redactor): SessionEvent {
  const record = shownRecord(event.record, redact);
  return record === event.record ? event : { ...event, record };
}

function shownRecord(record: JournalRecord, redact: Redactor): JournalRecord {
  switch (record.type) {
    case "step-completed": {
      const content = record.message.content.map((block) => shownBlock(block, redact));
      return { ...record, message: { ...record.message, content } };
    }
    case "tool-decided": {
      const judgement = { ...record.judgement, reason: redact(record.judgement.reason) };
      return { ...record, action: shownAction(record.action, redact), judgement };
    }
    case "interaction-opened":
      return { ...record, interaction: shownInteraction(record.interaction, redact) };
    case "grant-added":
      return { ...record, grant: { ...record.grant, rule: shownRule(record.grant.rule, redact) } };
    case "notice":
      return { ...record, text: redact(record.text) };
    default:
      return record;
  }
}

/** What waits for a person, as it is shown; answers are bound to its digest, which stays. */
export function shownInteraction(interaction: Interaction, redact: Redactor): Interaction {
  return { ...interaction, request: shownRequest(interaction.request, redact) };
}

/** What a person is asked, as it is shown. */
function shownRequest(request: InteractionRequest, redact: Redactor): InteractionRequest {
  switch (request.type) {
    case "approval":
      return {
        ...request,
        action: shownAction(request.action, redact),
        reason: redact(request.reason),
        warnings: request.warnings.map((warning) => redact(warning)),
        ...(request.grant === undefined ? {} : { grant: shownRule(request.grant, redact) }),
      };
    case "plan-review":
      return { ...request, plan: redact(request.plan) };
    case "recovery":
      return {
        ...request,
        calls: request.calls.map((call) => ({ ...call, action: shownAction(call.action, redact) })),
      };
    case "question":
    case "budget":
      return request;
  }
}

/** A remembered approval as it is shown: it repeats what was approved. */
export function shownRule(rule: Rule, redact: Redactor): Rule {
  const { command, path } = rule;
  return {
    ...rule,
    ...(command === undefined ? {} : { command: redact(command) }),
    ...(path === undefined ? {} : { path: redact(path) }),
    text: redact(rule.text),
  };
}

function shownAction(action: Action, redact: Redactor): Action {
  const { command, session } = action;
  return {
    ...action,
    arguments: redactObject(action.arguments, redact),
    paths: action.paths.map((path) => ({ ...path, real: redact(path.real), shown: redact(path.shown) })),
    ...(command === undefined ? {} : { command: shownCommand(command, redact) }),
    ...(session?.type === "exit-plan-mode" && session.plan !== null
      ? { session: { ...session, plan: redact(session.plan) } }
      : {}),
    summary: redact(action.summary),
  };
}

function shownCommand(command: CommandUse, redact: Redactor): CommandUse {
  const { form, nested } = command;
  const words = (list: readonly string[]): readonly string[] => list.map((word) => redact(word));
  return {
    ...command,
    form: form.type === "argv" ? { ...form, argv: words(form.argv) } : { ...form, script: redact(form.script) },
    nested: nested.map((each) => ({ ...each, words: words(each.words) })),
  };
}

function shownBlock(block: AssistantBlock, redact: Redactor): AssistantBlock {
  switch (block.type) {
    case "thinking":
      return { ...block, text: redact(block.text) };
    case "tool-call":
      return block.arguments.type === "json"
        ? { ...block, arguments: { type: "json", value: redactObject(block.arguments.value, redact) } }
        : block;
    case "text":
    case "provider-item":
      return block;
  }
}
