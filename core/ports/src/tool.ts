import type { CopiedWorkspace } from "./checkpoints.ts";
import type { HostPlace } from "./sandbox.ts";
import type {
  Action,
  ActionDraft,
  EffectClass,
  FileChange,
  FileEffect,
  FileObservation,
  Finding,
  JsonObject,
  JsonValue,
  MediaContent,
  PermissionMode,
  Question,
  SandboxSettings,
  SessionId,
  ToolCallId,
  SettleEvidence,
  Spent,
  ToolDefinition,
  ToolLimits,
  Workspace,
} from "@capstan/protocol";
import type { ChangeReach } from "./sandbox.ts";

/** A file as a call that was staged will leave it. `path`: real. `content`: `null` where it is deleted. `mode`: permission bits, where they are not the usual ones. */
export interface StagedFile {
  readonly path: string;
  readonly content: Uint8Array | null;
  readonly mode?: number;
}

/** The files that calls will have changed before this one, over what is on disk. */
export interface Ground {
  /** @returns `undefined` for a file that is as it is on disk */
  file(realPath: string): StagedFile | undefined;
  /** Whether a file will lie somewhere below. */
  isDirectory(realPath: string): boolean;
}

/** What a tool may know about the session it is called in. */
export interface ToolContext {
  /** Whose output is kept, and can be read again, apart from that of others; `null`: a call outside of any session. */
  readonly sessionId: SessionId | null;
  readonly workspace: Workspace;
  /** What calls may expect; more than the session's own where changes of the workspace pass unasked anyway. */
  readonly mode: PermissionMode;
  readonly sandbox: SandboxSettings;
  /** SHA-256 the model last saw of a file, by real path; `undefined`: never seen. */
  knownFile(realPath: string): string | undefined;
  /** Strategy `review`: nothing that a call does may come into the workspace. */
  readonly onlyProposes?: true;
  /** What lies over the disk, for `prepare` and `stage`; absent: nothing does. */
  readonly ground?: Ground;
  /** What of a plan is known without asking the model: the last file written that is named like one, and what was said in this turn. */
  planSoFar(): { readonly written: string | null; readonly said: string | null };
  readonly signal: AbortSignal;
}

export interface ToolRunContext extends ToolContext {
  /** Call id; names spill files. */
  readonly callId: string;
  /** What `stage` recorded, durable by now. */
  readonly settle: SettleEvidence;
  /** Where the call works, when its action says that it works on a private copy. */
  readonly copy?: CopiedWorkspace;
  /** Live output for people; the tool's result repeats what the model needs of it. */
  onOutput(stream: "stdout" | "stderr", text: string): void;
  /**
   * Asks the session's user in the middle of the call, one thing at a time; absent: there is no session. The answer is that of this process:
   * a call that runs again after a crash asks again.
   * @param asker  on whose behalf, for people
   */
  readonly ask?: (asker: string, questions: readonly Question[]) => Promise<UserReply>;
  /**
   * Whether the call may reach one more place on the network: as the session's rules say, or else its user, while the connection waits. A yes holds
   * for the session in this process, a no for the call. Absent: nobody can be asked.
   * @param what  is under way, for people
   */
  readonly mayReach?: (place: HostPlace, what: string) => Promise<boolean>;
  /** What the call could change at all, also where it does not end; without it, all that changed meanwhile counts as its own. */
  onReach?(reach: ChangeReach): void;
}

/** What came of a question. `unanswered`: nobody can be asked, or nobody answered in time. */
export type UserReply =
  | { readonly type: "answered"; readonly answers: readonly (readonly string[])[] }
  | { readonly type: "declined" }
  | { readonly type: "unanswered" };

export interface ToolProbeContext extends ToolContext {
  readonly callId: string;
  /** The end of the output that people saw. */
  readonly output: string;
}

/** An effect worked out but not applied: what will change, and what recovery needs to know. `data` stays in this process. */
export interface Staged {
  readonly settle: SettleEvidence;
  readonly changes: readonly FileChange[];
  /** For the calls after it to be staged on. */
  readonly files?: readonly StagedFile[];
  /** What the model reads under the review strategy, where nothing is applied. */
  readonly proposal: string;
  readonly data: unknown;
}

/** `content` is what the model reads; `details` what programs read. */
export type ToolResult = {
  readonly content: string;
  readonly details?: JsonValue;
  /** Pictures beside the words; the model is shown those of a call that went well. */
  readonly media?: readonly MediaContent[];
  readonly changes?: readonly FileChange[];
  readonly observed?: readonly FileObservation[];
  /** What the rest of the turn is held to. */
  readonly limits?: ToolLimits;
  /** What another session spent on it, and did to files; its own calls kept what was there before. */
  readonly spent?: Spent;
  readonly effects?: readonly FileEffect[];
} & ({ readonly status: "ok" } | { readonly status: "failed"; readonly code: string });

/**
 * A tool.
 *
 * Contract:
 * - `prepare` checks arguments and path rules and says exactly what the call will do; it changes nothing. It throws
 *   `ToolRefusal` for anything that must not run. The arguments were already checked against the schema.
 * - `stage`, where there is one, works the effect out without applying it (stale files, matches); throws `ToolRefusal`.
 * - `run` does what the action says and nothing else, once. An expected failure is a result, not an exception.
 *   When `signal` aborts, it stops promptly, leaves nothing running, and throws the signal's reason.
 * - `probe` finds out, in another process after a crash, what became of a call whose intent (`settle`) is durable. It does
 *   nothing but look, and end what the call left running; asked again, it gives the same answer. A tool without it is in doubt.
 * - A path is never looked up twice between check and use (descriptors, not names).
 */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Other names models use for it, accepted on input only. */
  readonly aliases: readonly string[];
  readonly effect: EffectClass;
  /** The schema that arguments must fit, where more is taken than models are shown. */
  readonly accepts?: JsonObject;
  /** Renames fields that other agents' tools of that kind have, before arguments are checked. */
  adapt?(args: JsonObject): JsonObject;
  prepare(args: JsonObject, context: ToolContext): Promise<ActionDraft>;
  stage?(action: Action, context: ToolContext): Promise<Staged>;
  run(action: Action, staged: Staged | undefined, context: ToolRunContext): Promise<ToolResult>;
  probe?(action: Action, settle: SettleEvidence, context: ToolProbeContext): Promise<Finding>;
}

/** The tool that a call means, or why there is none. */
export type RoutedCall =
  | {
      readonly type: "routed";
      readonly tool: Tool;
      readonly arguments: JsonObject;
      /** What was left out of the call; the model reads it with the result. */
      readonly notes: readonly string[];
    }
  | { readonly type: "unknown" }
  | { readonly type: "wrong"; readonly problem: string };

/** Finds tools by canonical name or alias, and checks arguments. */
export interface ToolCatalog {
  definitions(): readonly ToolDefinition[];
  find(name: string): Tool | undefined;
  /** The tool a model means by a name and arguments of whatever agent it learned from, and the arguments as that tool has them. */
  route(name: string, args: JsonObject): RoutedCall;
  /**
   * Checks arguments against the tool's schema. Accepts harmless slips of models (numbers and booleans as strings).
   * @returns the arguments to use, or what is wrong: field, expectation, how to fix it
   */
  check(
    tool: Tool,
    args: JsonObject,
  ): { readonly type: "fits"; readonly arguments: JsonObject } | { readonly type: "wrong"; readonly problem: string };
  readonly keepResult?: KeepResult;
}

/**
 * Puts a result that is shown cut into a file which the session's tools read in parts; the same call has the same file. Absent: there is no
 * place for one.
 * @returns the file's path
 * @throws where it cannot be written
 */
export type KeepResult = (sessionId: SessionId | null, callId: ToolCallId, text: string) => Promise<string>;
