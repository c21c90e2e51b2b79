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
}
