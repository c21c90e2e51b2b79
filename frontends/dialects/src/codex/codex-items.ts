import {
  type Action,
  type FileChange,
  type JournalRecord,
  type JsonObject,
  type JsonValue,
  type SessionEvent,
  type Task,
  type ToolCallId,
  type ToolOutcome,
} from "@capstan/protocol";
import { commandDetails, inertText } from "@capstan/view";
import { maxOutputCharacters } from "../limits.ts";

/** A line of Codex's events. */
export type CodexEvent = JsonObject;

/** Where calls of our own tools are shown that Codex has no item for. */
const ownServer = "capstan";

interface Started {
  readonly action: Action;
  readonly id: string;
  output: string;
  /** Whether its beginning was shown. */
  isShown: boolean;
}

/** Projects the records of a turn to Codex's items. */
export class CodexItems {
  #next = 0;
  #todo: { readonly id: string; readonly tasks: readonly Task[] } | undefined;
  readonly #calls = new Map<ToolCallId, Started>();

  take({ record }: SessionEvent): readonly CodexEvent[] {
    switch (record.type) {
      case "step-completed":
        return this.#answer(record);
      case "tool-decided":
        this.#calls.set(record.callId, { action: record.action, id: this.#newId(), output: "", isShown: false });
        return this.#tasks(record.action);
      case "tool-started":
        return this.#begin(record.callId);
      case "tool-output-delta":
        return this.#output(record);
      case "tool-finished":
        return this.#finish(record);
      case "step-retrying":
        return [completed({ id: this.#newId(), type: "error", message: inertText(record.failure.message) })];
      default:
        return [];
    }
  }

  /** The list of tasks is complete when the turn is. */
  end(): readonly CodexEvent[] {
    const todo = this.#todo;
    this.#todo = undefined;
    return todo === undefined ? [] : [completed(todoItem(todo))];
  }

  #newId(): string {
    this.#next += 1;
    return `item_${this.#next - 1}`;
  }

  #answer({ message }: Extract<JournalRecord, { type: "step-completed" }>): readonly CodexEvent[] {
    return message.content.flatMap((block) => {
      if (block.type === "text" && block.text !== "")
        return [completed({ id: this.#newId(), type: "agent_message", text: block.text })];
      if (block.type === "thinking" && block.text !== "")
        return [completed({ id: this.#newId(), type: "reasoning", text: block.text })];
      return [];
    });
  }

  #tasks({ session }: Action): readonly CodexEvent[] {
    if (session?.type !== "update-plan") return [];
    const isNew = this.#todo === undefined;
    this.#todo = { id: this.#todo?.id ?? this.#newId(), tasks: session.tasks };
    return [{ type: isNew ? "item.started" : "item.updated", item: todoItem(this.#todo) }];
  }

  #begin(callId: ToolCallId): readonly CodexEvent[] {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isShown || call.action.session !== undefined || changesFiles(call.action)) return [];
    call.isShown = true;
    return [{ type: "item.started", item: itemOf(call, "in_progress") }];
  }

  #output({ callId, delta }: Extract<JournalRecord, { type: "tool-output-delta" }>): readonly CodexEvent[] {
    const call = this.#calls.get(callId);
    if (call === undefined) return [];
    call.output = (call.output + delta).slice(-maxOutputCharacters);
    return [];
  }

  #finish({ callId, outcome, changes }: Extract<JournalRecord, { type: "tool-finished" }>): readonly CodexEvent[] {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    const changed = changes.length === 0 ? [] : [completed(changeItem(this.#newId(), changes, outcome))];
    if (call === undefined || call.action.session !== undefined) return changed;
    if (changesFiles(call.action) && outcome.type === "done") return changed;
    return [completed(itemOf(call, outcome)), ...changed];
  }
}

function completed(item: JsonObject): CodexEvent {
  return { type: "item.completed", item };
}

/** Calls of which nothing but the change is shown. */
function changesFiles({ command, effect }: Action): boolean {
  return command === undefined && effect === "write";
}

function itemOf({ action, id, output }: Started, state: ToolOutcome | "in_progress"): JsonObject {
  return action.command === undefined ? callItem(action, id, state) : commandItem(action, { id, output }, state);
}

function commandItem(
  { command, summary }: Action,
  { id, output }: { readonly id: string; readonly output: string },
  state: ToolOutcome | "in_progress",
): JsonObject {
  const { form } = command ?? {};
  const line = form === undefined ? summary : form.type === "script" ? form.script : form.argv.join(" ");
  const common = { id, type: "command_execution", command: line };
  if (state === "in_progress") return { ...common, aggregated_output: output, status: "in_progress" };
  const exitCode = "details" in state ? commandDetails(state.details).exitCode : undefined;
  const status =
    state.type === "denied" ? "declined" : state.type === "done" && (exitCode ?? 0) === 0 ? "completed" : "failed";
  const said = output === "" ? state.content : output;
  return {
    ...common,
    aggregated_output: said,
    ...(typeof exitCode === "number" ? { exit_code: exitCode } : {}),
    status,
  };
}

function callItem(action: Action, id: string, state: ToolOutcome | "in_progress"): JsonObject {
  const [, server = ownServer, tool = action.tool] = /^mcp__(.+?)__(.+)$/.exec(action.tool) ?? [];
  const common = { id, type: "mcp_tool_call", server, tool, arguments: action.arguments };
  if (state === "in_progress") return { ...common, status: "in_progress" };
  if (state.type !== "done") return { ...common, error: { message: state.content }, status: "failed" };
  const details: JsonValue = state.details ?? null;
  const content = [{ type: "text", text: state.content }];
  return { ...common, result: { content, structured_content: details }, status: "completed" };
}

const changeKinds: Readonly<Record<FileChange["kind"], string>> = {
  created: "add",
  modified: "update",
  deleted: "delete",
};

/** What was only proposed is no change that was applied. */
function changeItem(id: string, changes: readonly FileChange[], outcome: ToolOutcome): JsonObject {
  const status = outcome.type === "proposed" ? "failed" : "completed";
  return {
    id,
    type: "file_change",
    changes: changes.map(({ path, kind }) => ({ path, kind: changeKinds[kind] })),
    status,
  };
}

function todoItem({ id, tasks }: { readonly id: string; readonly tasks: readonly Task[] }): JsonObject {
  return {
    id,
    type: "todo_list",
    items: tasks.map(({ step, status }) => ({ text: step, completed: status === "done" })),
  };
}
