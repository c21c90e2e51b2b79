/** An update of any kind, as it crossed. */
type Sent = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

/** What an editor shows of a session: messages by their ids, calls by theirs, and what holds now. */
export interface Shown {
  readonly messages: Readonly<Record<string, string>>;
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Ids of messages and calls in the order in which they first came. */
  readonly order: readonly string[];
  readonly plan: unknown;
  readonly mode: unknown;
  readonly usage: unknown;
  readonly title: unknown;
  readonly compactions: Readonly<Record<string, unknown>>;
}

/** Folds updates as the protocol says: chunks are appended, fields of calls replaced. */
export function foldUpdates(updates: readonly object[]): Shown {
  const fold = new Fold();
  for (const update of updates) if (isShown(update)) fold.take(update);
  return fold;
}

function isShown(update: object): update is Sent {
  return "sessionUpdate" in update && typeof update.sessionUpdate === "string";
}

class Fold implements Shown {
  readonly messages: Record<string, string> = {};
  readonly calls: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly order: string[] = [];
  readonly compactions: Record<string, unknown> = {};
  plan: unknown;
  mode: unknown;
  usage: unknown;
  title: unknown;

  take(update: Sent): void {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return this.#append(`${update.sessionUpdate} ${String(update["messageId"])}`, update["content"]);
      case "tool_call":
      case "tool_call_update":
        return this.#change(update);
      case "plan":
        this.plan = update["entries"];
        return;
      case "current_mode_update":
        this.mode = update["currentModeId"];
        return;
      case "usage_update":
        this.usage = update;
        return;
      case "session_info_update":
        this.title = update["title"];
        return;
      case "compaction_update":
        this.compactions[String(update["compactionId"])] = update;
        return;
      default:
        return;
    }
  }

  #append(id: string, content: unknown): void {
    if (this.messages[id] === undefined) this.order.push(id);
    this.messages[id] = `${this.messages[id] ?? ""}${textOf(content)}`;
  }

  /** A call is announced once, and changed only afterwards. */
  #change({ sessionUpdate, toolCallId, ...fields }: Sent): void {
    const id = String(toolCallId);
    const before = this.calls[id];
    if ((before === undefined) !== (sessionUpdate === "tool_call"))
      throw new Error(`${sessionUpdate} of ${id} at the wrong time`);
    if (before === undefined) this.order.push(id);
    this.calls[id] = { ...before, ...fields };
  }
}

function textOf(content: unknown): string {
  const isText = typeof content === "object" && content !== null && "text" in content;
  return isText && typeof content.text === "string" ? content.text : JSON.stringify(content);
}
