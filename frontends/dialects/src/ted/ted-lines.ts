import {
  type Action,
  type JournalRecord,
  type JsonObject,
  type JsonValue,
  type SessionEvent,
  type StepId,
  type ToolCallId,
} from "@capstan/protocol";
import { commandDetails } from "@capstan/view";
import type { TurnEnd } from "../session/turn-end.ts";

/** A line without what every line has. */
export interface TedLine {
  readonly type: string;
  readonly data: JsonObject;
}

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { readonly type: Type }>;

/** Projects a turn's records to Ted's lines. */
export class TedLines {
  readonly #history: JsonObject[];
  readonly #actions = new Map<ToolCallId, Action>();
  /** The step whose text was shown in pieces. */
  #shown: StepId | undefined;
  #isBatchOpen = false;

  /** @param before  what was said before this turn */
  constructor(before: readonly JsonObject[]) {
    this.#history = [...before];
  }

  take({ record }: SessionEvent): readonly TedLine[] {
    switch (record.type) {
      case "turn-started":
        for (const part of record.content) if (part.type === "text") this.#say("user", part.text);
        return [];
      case "step-started":
        return [...this.#closeBatch(), status("thinking", "Thinking...")];
      case "text-delta":
        this.#shown = record.stepId;
        return [line("message", { role: "assistant", content: record.delta, delta: true })];
      case "step-completed":
        return this.#answer(record);
      case "step-retrying":
        return [
          line("error", { code: record.failure.code, message: record.failure.message, ...fix(record.failure.hint) }),
        ];
      case "tool-decided":
        this.#actions.set(record.callId, record.action);
        return planOf(record.action);
      case "tool-started":
        return previewsOf(this.#actions.get(record.callId));
      case "tool-output-delta":
        return [line("command_output", { stream: record.stream, text: record.delta })];
      case "tool-finished":
        return this.#finish(record);
      default:
        return [];
    }
  }

  end(end: TurnEnd): readonly TedLine[] {
    const { outcome, message = outcome, failure } = end;
    const isDone = outcome === "done" || outcome === "proposed" || outcome === "tool-denied";
    const code = outcome === "provider-failed" ? "llm_error" : outcome.replaceAll("-", "_");
    const errors = isDone ? [] : [line("error", { code, message, ...fix(failure?.hint) })];
    this.#isBatchOpen = false;
    return [...errors, this.#conversation(), completionOf(end, isDone)];
  }

  #say(role: string, content: string): void {
    this.#history.push({ role, content });
  }

  #answer({ stepId, message }: Of<"step-completed">): readonly TedLine[] {
    const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    const calls = message.content.filter(({ type }) => type === "tool-call").length;
    if (text.trim() !== "") this.#say("assistant", text);
    this.#isBatchOpen = calls > 0;
    return [
      ...(text === "" || this.#shown === stepId ? [] : [line("message", { role: "assistant", content: text })]),
      ...(calls === 0 ? [] : [status("running", `Executing ${calls} tool(s)...`)]),
    ];
  }

  #finish({ callId, outcome }: Of<"tool-finished">): readonly TedLine[] {
    const action = this.#actions.get(callId);
    // What was only proposed did not begin: it is the program that applies it.
    if (outcome.type === "proposed") return previewsOf(action);
    if (action?.command === undefined) return [];
    const exitCode = "details" in outcome ? commandDetails(outcome.details).exitCode : undefined;
    const text = outcome.type === "done" || outcome.type === "failed" ? "" : outcome.content;
    const done = { stream: text === "" ? "stdout" : "stderr", text, done: true };
    return [line("command_output", typeof exitCode === "number" ? { ...done, exit_code: exitCode } : done)];
  }

  /** A round of tools has ended. */
  #closeBatch(): readonly TedLine[] {
    if (!this.#isBatchOpen) return [];
    this.#isBatchOpen = false;
    return [this.#conversation()];
  }

  #conversation(): TedLine {
    return line("conversation_history", { messages: [...this.#history] });
  }
}

function line(type: string, data: JsonObject): TedLine {
  return { type, data };
}

function status(state: string, message: string): TedLine {
  return line("status", { state, message });
}

function fix(hint: string | undefined): JsonObject {
  return hint === undefined ? {} : { suggested_fix: hint };
}

function planOf({ session }: Action): readonly TedLine[] {
  if (session?.type !== "update-plan") return [];
  const steps = session.tasks.map(({ step }, at) => ({ id: String(at + 1), description: step }));
  return [line("plan", { steps })];
}

/** What a call does to files, or runs, as it was asked for. */
function previewsOf(action: Action | undefined): readonly TedLine[] {
  if (action === undefined) return [];
  const { command, arguments: args, tool, paths } = action;
  if (command !== undefined) {
    const { form, cwd } = command;
    return [line("command", { command: form.type === "script" ? form.script : form.argv.join(" "), cwd })];
  }
  const text = (name: string): string | undefined => textOf(args[name]);
  return paths
    .filter(({ access }) => access !== "read")
    .map(({ shown: path, access }) => {
      if (access === "delete") return line("file_delete", { path });
      const content = text("content");
      if (tool === "write_file" && content !== undefined) return line("file_create", { path, content });
      const [before, after] = [text("old_string"), text("new_string")];
      const texts = before === undefined || after === undefined ? {} : { old_text: before, new_text: after };
      return line("file_edit", { path, operation: "replace", ...texts });
    });
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function completionOf({ changed, proposed, toolCalls, outcome, message }: TurnEnd, isDone: boolean): TedLine {
  const files = [...changed, ...proposed].map(({ path }) => path);
  const summary =
    files.length > 0
      ? `Modified ${files.length} file(s)`
      : toolCalls > 0
        ? `Executed ${toolCalls} tool(s)`
        : "Waiting for your response";
  const success = isDone && (files.length > 0 || toolCalls > 0);
  return line("completion", {
    success,
    summary: isDone ? summary : (message ?? outcome),
    files_changed: [...new Set(files)],
  });
}
