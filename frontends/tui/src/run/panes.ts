import type { Row } from "@capstan/view";
import { agentRows } from "../panes/agent-rows.ts";
import { taskRows } from "../panes/task-rows.ts";
import { AgentWatch } from "./agent-watch.ts";
import type { Chat } from "./chat.ts";
import type { FollowedSession } from "./followed-session.ts";
import type { TuiOptions } from "./tui-options.ts";

/** What stands beside the work: the model's tasks, and the agents that work for it. */
export class Panes {
  readonly #agents: AgentWatch;
  /** `null`: while there is something to do. */
  #showsTasks: boolean | null = null;

  constructor({ engine, identity }: Pick<TuiOptions, "engine" | "identity">, changed: () => void) {
    this.#agents = new AgentWatch(engine, identity, changed);
  }

  update({ client, transcript }: FollowedSession): void {
    this.#agents.update(client.id, transcript);
  }

  get hasAgents(): boolean {
    return this.#agents.shown(0).length > 0;
  }

  toggleTasks(chat: Chat): void {
    if (chat.session.transcript.tasks.length === 0) return chat.say("The model has no task list.");
    this.#showsTasks = !this.#hasTasks(chat.session);
    chat.paintSoon(0);
  }

  rows(chat: Chat, now: number): readonly Row[] {
    const { transcript } = chat.session;
    const tasks = this.#hasTasks(chat.session) ? taskRows(transcript.tasks, chat.columns) : [];
    return [...tasks, ...agentRows(this.#agents.shown(now), chat.columns)];
  }

  close(): void {
    this.#agents.close();
  }

  #hasTasks({ transcript }: FollowedSession): boolean {
    return this.#showsTasks ?? transcript.tasks.some(({ status }) => status !== "done");
  }
}
