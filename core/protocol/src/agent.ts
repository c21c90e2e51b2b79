/** Somebody to whom a model can hand over a piece of its work. */
export interface Agent {
  readonly name: string;
  /** When it is of use, for the model that calls it. */
  readonly description: string;
  readonly from: "built-in" | "user" | "workspace";
  /** Where it is described; absent for one that is built in. */
  readonly file?: string;
  /** What its session is instructed with. */
  readonly prompt: string;
  /** Names of tools, ours or another agent's; `null`: all. */
  readonly tools: readonly string[] | null;
  /** As the user of that model would name it; absent: the model of the session that calls. */
  readonly model?: string;
  /** It works in a working tree of its own unless its call says otherwise. */
  readonly isolation?: "worktree";
  /** Its caller does not wait for it unless its call says otherwise. */
  readonly background?: true;
  /** Tools it does not have, whatever `tools` says. */
  readonly withoutTools?: readonly string[];
  /** Skills whose texts it is instructed with, and whose limits it is held to. */
  readonly skills?: readonly string[];
  /** Agents that it may call, where it may call any; absent: all. */
  readonly subagents?: readonly string[];
  /** It only reads, as in plan mode. */
  readonly mode?: "plan";
  /** What its work may take; its caller's limits hold beside them. */
  readonly budget?: AgentBudget;
  /** What makes room in its conversation; absent: what does in its caller's. */
  readonly compactor?: string;
  /** Values of placeholders (`{{ name }}`) in its prompt, unless a call gives others. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface AgentBudget {
  /** Calls of its model. */
  readonly steps?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly seconds?: number;
}
