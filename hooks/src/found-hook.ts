import type { ProgramHook } from "@capstan/ports";
import type { HookEntry, NoticeRecord } from "@capstan/protocol";

/** What a hook is. */
export type HookWork =
  | { readonly type: "shell"; readonly script: string }
  | { readonly type: "program"; readonly argv: readonly string[] }
  | { readonly type: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** Of the program that embeds the engine. */
  | { readonly type: "function"; readonly run: ProgramHook["run"] };

/** A hook that is named somewhere. */
export interface FoundHook {
  readonly entry: HookEntry;
  readonly work: HookWork;
  readonly timeoutMs: number;
  /** The file it is named in; `null`: the user's configuration, or the program. */
  readonly file: string | null;
  /** Why it is never run; absent: it is. */
  readonly inactive?: string;
}

export interface FoundHooks {
  /** In the order in which those of one event run. */
  readonly hooks: readonly FoundHook[];
  /** What is no hook, and why. */
  readonly problems: readonly HookProblem[];
}

/** Something that was meant to be a hook. */
export interface HookProblem {
  readonly file: string;
  readonly text: string;
}

export type HookNotice = Omit<NoticeRecord, "type">;
