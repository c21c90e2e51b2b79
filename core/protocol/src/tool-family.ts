/** How rules speak of a tool. */
export interface ToolFamily {
  readonly tool: string;
  /** Names a rule may call it by, beside its own. One that several tools have means all of them. */
  readonly names: readonly string[];
  readonly pattern: PatternKind;
  /** What it does to the content of files: a rule that protects a path from that holds for commands, too. */
  readonly contents: "read" | "written" | "untouched";
}

/** What a rule's pattern means for a tool: a command, a path, a network host, or nothing. */
export type PatternKind = "command" | "path" | "host" | "none";
