import type { Question } from "./gate/question.ts";
import type { Confinement } from "./gate/isolation.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { MediaContent } from "./message.ts";

/** What kind of thing a call does to the world. `read` may run again at any time; `write` and `execute` only once. */
export type EffectClass =
  | "read"
  | "write"
  | "execute"
  /** Another session does the work, and each of its calls is judged there. Run again, the call finds that session, and its work is done once. */
  | "delegate"
  /** It concerns nothing but the session itself. */
  | "session";

/** Whether a call that was under way when its process died is simply run again. */
export function mayRunAgain(effect: EffectClass): boolean {
  return effect === "read" || effect === "delegate";
}

export type RiskLevel = "low" | "medium" | "high";

/** A path a call will touch. `real` is absolute with links resolved; `shown` is what people and rules see, relative to the workspace where it lies inside. */
export interface PathUse {
  readonly real: string;
  readonly shown: string;
  readonly access: "read" | "write" | "delete";
  /** Git obeys it: it lies in a repository without a working tree, which its name does not tell. */
  readonly governs?: true;
}

/** What a command call will start: an argument vector without a shell (preferred), or a script for the shell. */
export type CommandForm =
  | { readonly type: "argv"; readonly argv: readonly string[] }
  | { readonly type: "script"; readonly script: string; readonly shell: string };

/** A command as it would be called: words without quotes. `via`: what it was found in (`substitution`, `sudo`, `sh -c`, …). */
export interface NestedCommand {
  readonly words: readonly string[];
  readonly via?: string;
}

/** A file of the workspace that a command runs, by real path. */
export interface ScriptContent {
  readonly path: string;
  /** SHA-256 of its content, hex; `unreadScript` where it cannot be determined, and then no grant holds for it. */
  readonly sha256: string;
}

/** Stands for the content of a script that is too large, not a regular file or not readable. It equals no content, not even itself. */
export const unreadScript = "unread";

export interface CommandUse {
  readonly form: CommandForm;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly confinement: Confinement;
  /** Files of the workspace that it runs, as far as that is known. */
  readonly scripts: readonly ScriptContent[];
  /** Every command that a tolerant reading of a script finds, nested ones too; for rules that restrict and for explanations, never to allow. */
  readonly nested: readonly NestedCommand[];
}

/** The one address that a call without a command reads from the network. */
export interface NetworkUse {
  /** `name` or `name:port`, as rules speak of hosts. */
  readonly host: string;
  /** From its first slash, without the query. */
  readonly path: string;
  /** Why no rule that allows the host answers for this call, as the end of a sentence: what the address says may be data of the user's. */
  readonly carries?: string;
}

/** What a call wants of the session itself; decided by the engine, not run. */
export type SessionCall =
  | { readonly type: "ask-user"; readonly questions: readonly Question[] }
  /** `plan`: the whole text, so that the action's digest binds it. */
  | { readonly type: "exit-plan-mode"; readonly plan: string; readonly source: PlanSource }
  /** `list`: the name of the list that is given again; absent: the one without a name. Each task has it, too. */
  | { readonly type: "update-plan"; readonly tasks: readonly Task[]; readonly list?: string }
  /** `found`: names of deferred tools, best first; `more`: how many others fit the words. */
  | { readonly type: "find-tools"; readonly query: string; readonly found: readonly string[]; readonly more: number };

/** Where a plan was found: a file named in the call, the last plan file written, the call itself, what was said; `none`: nowhere. */
export type PlanSource = "file" | "written" | "argument" | "said" | "none";

/** One entry of the task list. */
export interface Task {
  readonly step: string;
  readonly status: "pending" | "in-progress" | "done";
  /** It is pending, and cannot be begun as things are. */
  readonly blocked?: true;
  /** The name of its list. */
  readonly list?: string;
}

/**
 * What a tool call will do to the world, exactly. Built once; policy judges it, the user sees it, the journal holds it and
 * the executor runs it. Plain frozen JSON.
 */
export interface Action {
  /** Canonical tool name. */
  readonly tool: string;
  /** Arguments after the schema check, with defaults filled in. */
  readonly arguments: JsonObject;
  readonly effect: EffectClass;
  readonly risk: RiskLevel;
  readonly paths: readonly PathUse[];
  readonly command?: CommandUse;
  readonly network?: NetworkUse;
  readonly session?: SessionCall;
  /** What becomes of files, exactly, where that can be worked out before: on top of what the calls before it in its batch do. */
  readonly files?: readonly FileEvidence[];
  /** Nothing of it is done: it is kept for a user who applies it, `together` or not at all, or file by file. */
  readonly proposes?: "together" | "apart";
  /** What was left out of the call as the model wrote it; the model reads it with the result. */
  readonly notes?: readonly string[];
  /** One redacted, inert, complete line for people. */
  readonly summary: string;
  /** SHA-256 (hex) of the canonical JSON of everything above. */
  readonly digest: string;
}

/** An action before its digest is taken. */
export type ActionDraft = Omit<Action, "digest">;

/** A file as it was before or will be after; `null`: it does not exist. Hashes are SHA-256, hex. */
export interface FileEvidence {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Size of what will be there. */
  readonly afterBytes?: number;
}

/** What recovery needs to find out whether an effect took place; durable before the effect starts. */
export interface SettleEvidence {
  readonly files: readonly FileEvidence[];
  /** Names a command's run: its status file, and the mark that all its processes carry. */
  readonly runId?: string;
}

/** What could be proved of an effectful call whose process died before its outcome was journaled. */
export type Finding =
  /** It came to its end, and this is how. */
  | {
      readonly type: "ended";
      readonly outcome: Extract<ToolOutcome, { type: "done" | "failed" }>;
      readonly changes: readonly FileChange[];
      readonly observed: readonly FileObservation[];
    }
  /** Nothing of it has happened, and nothing of it can happen any more: it may run as if for the first time. */
  | { readonly type: "untouched"; readonly text: string }
  /** It may have taken effect wholly, partly or not at all. `text`: what is known, for people and the model. */
  | { readonly type: "in-doubt"; readonly text: string };

/** A file's content as the checkpoint store keeps it: a Git object id, and the mode `100644`, `100755` or `120000` (a link). */
export interface FileVersion {
  readonly blob: string;
  readonly mode: string;
}

/** What happened to one file, or what should happen to it. `path`: absolute and real. `null`: there is no such file. */
export interface FileEffect {
  readonly path: string;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

/** A file that was left alone. `path`: absolute. */
export interface FileConflict {
  readonly path: string;
  readonly reason: string;
}

/** Files at one moment, kept so that what happens afterwards can be reported and undone. */
export interface Checkpoint {
  readonly kept:
    | {
        readonly type: "files";
        readonly files: readonly { readonly path: string; readonly version: FileVersion | null }[];
      }
    /** Everything below these directories that is not ignored; `tree`: a Git tree. */
    | { readonly type: "trees"; readonly trees: readonly { readonly root: string; readonly tree: string }[] };
  /** What could not be kept (too large, not a regular file, …), in words; bounded. */
  readonly left: readonly string[];
}

/** What a call changed, for people and for the result. Paths as shown. `diff` is a unified diff, cut at a limit. */
export interface FileChange {
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted";
  readonly addedLines: number;
  readonly removedLines: number;
  readonly diff?: string;
}

/** A file whose content the model has seen (or written): real path and SHA-256 (hex) of the whole file. */
export interface FileObservation {
  readonly path: string;
  readonly sha256: string;
}

/** How one call ended. Exactly one per call; every one of them becomes a tool result the model reads. */
export type ToolOutcome =
  | {
      readonly type: "done";
      readonly content: string;
      readonly details?: JsonValue;
      /** Pictures that the model is shown beside the words, where it takes them. */
      readonly media?: readonly MediaContent[];
    }
  /** It ran and failed: an answer to the model. */
  | { readonly type: "failed"; readonly code: string; readonly content: string; readonly details?: JsonValue }
  /** It never ran: unknown tool, bad arguments, limits, loop guard, incomplete call. */
  | { readonly type: "rejected"; readonly code: string; readonly content: string }
  /** It never ran: a rule, the mode, a path rule or a user said no. */
  | {
      readonly type: "denied";
      readonly by: DeniedBy;
      readonly content: string;
      readonly code?: string;
      readonly passesWith?: PassesWith;
    }
  | { readonly type: "cancelled"; readonly content: string }
  /** It may have run; nobody knows. */
  | { readonly type: "unknown"; readonly content: string }
  /** Review strategy: computed, not applied. */
  | { readonly type: "proposed"; readonly content: string; readonly details?: JsonValue };

/** What would have let a call pass that nobody could be asked about: a mode, or a rule as it is written. */
export type PassesWith =
  | { readonly type: "mode"; readonly mode: "accept-edits" }
  | { readonly type: "rule"; readonly rule: string };

/** Who refused: a rule or mode, a protected path, a user, or nobody was there to ask. */
export type DeniedBy = "policy" | "path" | "user" | "unattended";

/** Lists of one session, and tasks of all of them: who needs more keeps files. The oldest lists are left out. */
const maxLists = 20;

/** The task lists when one of them, named or not, is given again: the others stay as they are. The list that was given stands last. */
export function withTaskList(
  before: readonly Task[],
  list: string | undefined,
  given: readonly Task[],
): readonly Task[] {
  const others = before.filter((task) => task.list !== list);
  const names = [...new Set(others.map((task) => task.list))];
  const kept = new Set(names.slice(Math.max(0, names.length - (maxLists - 1))));
  return [...others.filter((task) => kept.has(task.list)), ...given];
}
