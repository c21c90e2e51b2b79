import type {
  ConversationPage,
  Action,
  AssistantBlock,
  Interaction,
  InteractionRequest,
  JournalRecord,
  Message,
  Rule,
  SessionEvent,
  SessionSnapshot,
  ToolCallBlock,
  UserContent,
} from "@capstan/protocol";
import { redactObject } from "./redact-outcome.ts";
import type { Redactor } from "./redact.ts";
import { withoutSecrets } from "./without-secrets.ts";

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
    // Paths, evidence and what a call changed; what joins records stays.
    case "tool-started":
      return { ...withoutSecrets(record, redact), callId: record.callId, digest: record.digest };
    case "tool-probed":
    case "tool-finished":
    case "call-edited":
      return { ...withoutSecrets(record, redact), callId: record.callId };
    case "tool-effects":
      return { ...record, effects: withoutSecrets(record.effects, redact) };
    case "rewind-started":
    case "rewind-finished":
      return { ...withoutSecrets(record, redact), rewindId: record.rewindId };
    case "proposals-applying":
    case "proposals-applied":
      return { ...withoutSecrets(record, redact), applyId: record.applyId };
    case "turn-started":
      return {
        ...record,
        content: shownContent(record.content, redact),
        ...(record.plan === undefined ? {} : { plan: withoutSecrets(record.plan, redact) }),
      };
    case "turn-queued":
    case "turn-steered":
      return { ...record, content: shownContent(record.content, redact) };
    case "queue-changed":
      return "content" in record.change
        ? { ...record, change: { ...record.change, content: shownContent(record.change.content, redact) } }
        : record;
    case "context-packed":
      return { ...record, parts: withoutSecrets(record.parts, redact) };
    case "turn-ended":
      return { ...withoutSecrets(record, redact), turnId: record.turnId };
    case "interaction-resolved":
      return { ...record, answer: withoutSecrets(record.answer, redact) };
    case "hook-finished":
      return { ...record, answer: withoutSecrets(record.answer, redact) };
    case "session-titled":
      return { ...record, title: redact(record.title) };
    case "session-recovered":
      return { ...record, found: redact(record.found) };
    default:
      return record;
  }
}

/** What a user said: exact for the model, without secrets for whoever looks on. */
function shownContent(content: readonly UserContent[], redact: Redactor): readonly UserContent[] {
  return content.map((part) => withoutSecrets(part, redact));
}

/** A session as it is shown to whoever attaches. */
export function shownSnapshot(snapshot: SessionSnapshot, redact: Redactor): SessionSnapshot {
  const { title, queued, steering, pending, tasks, grants } = snapshot;
  return {
    ...snapshot,
    ...(title === undefined ? {} : { title: redact(title) }),
    queued: queued.map((each) => ({ ...each, content: shownContent(each.content, redact) })),
    steering: steering.map((each) => ({ ...each, content: shownContent(each.content, redact) })),
    pending: pending.map((each) => shownInteraction(each, redact)),
    tasks: withoutSecrets(tasks, redact),
    grants: grants.map((grant) => ({ ...grant, rule: shownRule(grant.rule, redact) })),
  };
}

/** Messages as they are shown: only those that somebody asked for, for each is searched. */
export function shownPage({ messages, from }: ConversationPage, redact: Redactor): ConversationPage {
  return { messages: messages.map((message) => shownMessage(message, redact)), from };
}

function shownMessage(message: Message, redact: Redactor): Message {
  if (message.role !== "assistant") return withoutSecrets(message, redact);
  return { ...message, content: message.content.map((block) => shownBlock(block, redact)) };
}

/** What waits for a user, as it is shown; answers are bound to its digest, which stays. */
export function shownInteraction(interaction: Interaction, redact: Redactor): Interaction {
  return { ...interaction, request: shownRequest(interaction.request, redact) };
}

/** What a user is asked, as it is shown. */
function shownRequest(request: InteractionRequest, redact: Redactor): InteractionRequest {
  switch (request.type) {
    case "approval": {
      const { remembered, grant, changes } = request;
      return {
        ...request,
        action: shownAction(request.action, redact),
        reason: redact(request.reason),
        warnings: request.warnings.map((warning) => redact(warning)),
        ...(changes === undefined ? {} : { changes: withoutSecrets(changes, redact) }),
        ...(remembered === undefined
          ? {}
          : { remembered: { ...remembered, rule: shownRule(remembered.rule, redact) } }),
        ...(grant === undefined ? {} : { grant: shownRule(grant, redact) }),
      };
    }
    case "plan-review":
      return { ...request, plan: redact(request.plan) };
    case "recovery":
      return {
        ...request,
        calls: request.calls.map(({ callId, action, ...found }) => ({
          callId,
          action: shownAction(action, redact),
          ...withoutSecrets(found, redact),
        })),
      };
    case "question":
      return { ...request, questions: withoutSecrets(request.questions, redact) };
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

/** Whatever its fields: paths, tasks and the tool's name are the model's words. */
function shownAction(action: Action, redact: Redactor): Action {
  return { ...withoutSecrets(action, redact), digest: action.digest };
}

function shownCall(
  { name, arguments: args }: Pick<ToolCallBlock, "name" | "arguments">,
  redact: Redactor,
): Pick<ToolCallBlock, "name" | "arguments"> {
  const shown = args.type === "json" ? { type: "json" as const, value: redactObject(args.value, redact) } : args;
  return { name: redact(name), arguments: shown };
}

function shownBlock(block: AssistantBlock, redact: Redactor): AssistantBlock {
  switch (block.type) {
    case "thinking":
      return { ...block, text: redact(block.text) };
    case "tool-call": {
      const { written } = block;
      const shown = written === undefined ? {} : { written: { ...written, ...shownCall(written, redact) } };
      return { ...block, ...shownCall(block, redact), ...shown };
    }
    case "text":
    case "provider-item":
      return block;
  }
}
