import type { Action, JournalRecord, SessionConfig, SessionEvent } from "@capstan/protocol";
import {
  type AnswerCell,
  type CallCell,
  type Cell,
  contextGauge,
  emptyTranscript,
  inertLine,
  itemAt,
  reduce,
  type Transcript,
} from "@capstan/view";
import { titleCharacters } from "../limits.ts";
import { answerChunks, nothingSent, type SentAnswer } from "./answer-chunks.ts";
import { callFields } from "./call-fields.ts";
import { type ClientFeatures, messageUpdate, noticeUpdate, saidBy, standaloneQuestion } from "./said.ts";
import { shownText } from "./shown-input.ts";
import { type ConfigOption, type SessionUpdate, textBlock, type ToolCallFields } from "./update-types.ts";
import { userChunks } from "./user-chunks.ts";

export interface UpdateOptions {
  readonly features: ClientFeatures;
  /** The client has these words already: it sent them. */
  readonly isOwn: (turnId: string) => boolean;
  readonly configOptions: (config: SessionConfig) => readonly ConfigOption[];
}

/**
 * A session's events as what a client is shown. The transcript says what there is to show, so that whoever follows live and whoever is
 * shown everything afterwards end with the same.
 */
export class SessionUpdates {
  readonly #options: UpdateOptions;
  #transcript: Transcript = emptyTranscript;
  /** Cells as they were shown last, by place; those that are settled are shown no more. */
  readonly #shown = new Map<number, Cell>();
  readonly #answers = new Map<number, SentAnswer>();
  readonly #fields = new Map<number, ToolCallFields>();
  readonly #callNames = new Map<number, string>();
  /** How often each id of a call was used: vendors use ids again. */
  readonly #uses = new Map<string, number>();
  readonly #actions = new Map<string, Action>();

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** One event more. */
  take(event: SessionEvent): readonly SessionUpdate[] {
    const before = this.#transcript;
    const { record } = event;
    if (record.type === "tool-decided") this.#actions.set(record.callId, record.action);
    this.#transcript = reduce(before, event);
    const { cells } = this.#transcript;
    const updates: SessionUpdate[] = [];
    for (let place = before.settled; place < cells.length; place += 1) {
      const cell = itemAt(cells, place);
      if (cell === undefined || this.#shown.get(place) === cell) continue;
      updates.push(...this.#tell(place, cell, record));
      this.#shown.set(place, cell);
    }
    for (let place = before.settled; place < this.#transcript.settled; place += 1) this.#forgetCell(place);
    return [...updates, ...this.#tellRest(before, event)];
  }

  /** Whoever follows from here on knows nothing of the calls that are under way: each is shown whole when it changes. */
  forgetCalls(): void {
    this.#fields.clear();
  }

  /** The name under which the client knows the last call of this id. */
  callName(callId: string): string {
    const uses = this.#uses.get(callId) ?? 1;
    return uses === 1 ? callId : `${callId}~${uses}`;
  }

  get cwd(): string {
    return this.#transcript.session?.workspace.cwd ?? "/";
  }

  #forgetCell(place: number): void {
    for (const known of [this.#shown, this.#answers, this.#fields, this.#callNames]) known.delete(place);
  }

  #tell(place: number, cell: Cell, record: JournalRecord): readonly SessionUpdate[] {
    switch (cell.type) {
      case "user":
        return this.#tellWords(record);
      case "answer":
        return this.#tellAnswer(place, cell);
      case "call":
        return this.#tellCall(place, cell);
      case "interaction":
        return this.#tellQuestion(place, cell);
      case "compaction":
        return this.#tellCompaction(place, cell);
      case "retry":
        this.#answers.delete(place);
        return this.#tellSaid(place, cell);
      case "rewind":
      case "grant":
      case "recovery":
      case "notice":
      case "turn-end":
        return this.#tellSaid(place, cell);
    }
  }

  #tellWords(record: JournalRecord): readonly SessionUpdate[] {
    if (record.type !== "turn-started" && record.type !== "turn-steered") return [];
    const id = record.type === "turn-started" ? record.turnId : record.inputId;
    return this.#options.isOwn(id) ? [] : userChunks(id, record.content);
  }

  #tellAnswer(place: number, cell: AnswerCell): readonly SessionUpdate[] {
    const { updates, sent } = answerChunks(cell, this.#answers.get(place) ?? nothingSent);
    this.#answers.set(place, sent);
    return updates;
  }

  /** A call that nothing was decided about yet is not shown: the model may have written it in vain. */
  #tellCall(place: number, cell: CallCell): readonly SessionUpdate[] {
    if (!this.#callNames.has(place)) {
      this.#uses.set(cell.callId, (this.#uses.get(cell.callId) ?? 0) + 1);
      this.#callNames.set(place, this.callName(cell.callId));
      // What was decided about an earlier call of this id says nothing of this one.
      if (cell.state.type === "written") this.#actions.delete(cell.callId);
    }
    if (cell.state.type === "written") return [];
    return this.#tellFields(place, callFields(cell, this.#actions.get(cell.callId), this.cwd));
  }

  #tellFields(place: number, fields: ToolCallFields): readonly SessionUpdate[] {
    const toolCallId = this.#callNames.get(place) ?? String(place);
    const before = this.#fields.get(place);
    this.#fields.set(place, fields);
    if (before === undefined) return [{ sessionUpdate: "tool_call", toolCallId, ...fields }];
    const changed = changedFields(before, fields);
    return Object.keys(changed).length === 0 ? [] : [{ sessionUpdate: "tool_call_update", toolCallId, ...changed }];
  }

  #tellQuestion(place: number, cell: Extract<Cell, { type: "interaction" }>): readonly SessionUpdate[] {
    const question = standaloneQuestion(cell);
    if (question === undefined) return [];
    this.#callNames.set(place, question.id);
    const isOpen = cell.resolution === null && !cell.isFinal;
    const answer = cell.resolution?.answer.type ?? "void";
    return this.#tellFields(place, {
      title: question.title,
      name: "question",
      kind: "other",
      status: isOpen ? "pending" : "completed",
      content: isOpen ? [] : [{ type: "content", content: textBlock(`answered: ${answer}`) }],
      locations: [],
    });
  }

  #tellCompaction(place: number, { state }: Extract<Cell, { type: "compaction" }>): readonly SessionUpdate[] {
    const { features } = this.#options;
    const compactionId = `compaction-${place}`;
    const update = { sessionUpdate: "compaction_update", compactionId } as const;
    switch (state.type) {
      case "running":
        return features.compaction ? [{ ...update, status: "in_progress" }] : [];
      case "done":
        if (features.compaction)
          return [{ ...update, status: "completed", summary: [textBlock(shownText(state.summary))] }];
        return noticeUpdate({ level: "info", text: "Older messages became a summary." }, compactionId, features);
      case "failed":
        if (features.compaction) return [{ ...update, status: "failed", error: shownText(state.message) }];
        return noticeUpdate({ level: "warning", text: state.message }, compactionId, features);
      case "unknown":
        return features.compaction ? [{ ...update, status: "cancelled" }] : [];
    }
  }

  #tellSaid(place: number, cell: Cell): readonly SessionUpdate[] {
    const said = saidBy(cell);
    if (said === undefined) return [];
    const id = `notice-${place}`;
    // How a turn ended is part of the conversation.
    if (cell.type === "turn-end") return [messageUpdate(said.text, id)];
    return noticeUpdate(said, id, this.#options.features);
  }

  /** What is no cell: settings, title, tasks, use. */
  #tellRest(before: Transcript, { at, record }: SessionEvent): readonly SessionUpdate[] {
    const now = this.#transcript;
    return [
      ...(before.config === null || now.config === null || now.config === before.config
        ? []
        : settingsUpdates(before.config, now.config, this.#options.configOptions)),
      ...titleUpdate(before, now, { at, record }),
      ...(now.tasks === before.tasks ? [] : [planUpdate(now)]),
      ...(now.measured === before.measured ? [] : usageUpdate(now)),
    ];
  }
}

function changedFields(before: ToolCallFields, now: ToolCallFields): Partial<ToolCallFields> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name))),
  );
}

function settingsUpdates(
  before: SessionConfig,
  now: SessionConfig,
  optionsOf: UpdateOptions["configOptions"],
): readonly SessionUpdate[] {
  const [old, options] = [optionsOf(before), optionsOf(now)];
  const isSame = JSON.stringify(old) === JSON.stringify(options);
  return [
    ...(before.mode === now.mode ? [] : [{ sessionUpdate: "current_mode_update", currentModeId: now.mode } as const]),
    ...(isSame ? [] : [{ sessionUpdate: "config_option_update", configOptions: options } as const]),
  ];
}

/** As a user gave it, else the first words. */
function titleUpdate(
  before: Transcript,
  now: Transcript,
  { at, record }: Omit<SessionEvent, "seq">,
): readonly SessionUpdate[] {
  const updatedAt = new Date(at).toISOString();
  if (record.type === "session-titled")
    return [{ sessionUpdate: "session_info_update", title: now.title ?? "", updatedAt }];
  if (record.type !== "turn-started" || before.turns.length > 0 || (now.title ?? "") !== "") return [];
  const words = record.content.find((part) => part.type === "text")?.text.trim() ?? "";
  if (words === "") return [];
  return [{ sessionUpdate: "session_info_update", title: inertLine(words, titleCharacters), updatedAt }];
}

function planUpdate({ tasks }: Transcript): SessionUpdate {
  const entries = tasks.map(({ step, status }) => ({
    content: shownText(step),
    priority: "medium" as const,
    status: taskStatus[status],
  }));
  return { sessionUpdate: "plan", entries };
}

const taskStatus = { pending: "pending", "in-progress": "in_progress", done: "completed" } as const;

function usageUpdate(now: Transcript): readonly SessionUpdate[] {
  const gauge = contextGauge(now);
  if (gauge?.usedTokens === null || gauge?.usedTokens === undefined) return [];
  const { costUsd } = now.spending;
  const cost = costUsd === null ? {} : { cost: { amount: costUsd, currency: "USD" } };
  return [{ sessionUpdate: "usage_update", used: gauge.usedTokens, size: Math.max(0, gauge.windowTokens), ...cost }];
}
