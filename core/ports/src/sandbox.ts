import type { CopiedWorkspace } from "./checkpoints.ts";
import type { Confinement, Isolation, Workspace } from "@capstan/protocol";

/** A place on the network, as a program names it: in small letters, IDNA. */
export interface HostPlace {
  readonly host: string;
  readonly port: number;
}

/** A program that is to run confined. */
export interface SandboxRequest {
  /** Programs of one session share a temporary folder and a network of their own. */
  readonly session?: string;
  readonly workspace: Workspace;
  /** The workspace is a private copy, and is seen where the original lies. */
  readonly copied?: CopiedWorkspace["folders"];
  readonly confinement: Extract<Confinement, { readonly type: "sandbox" }>;
  /** Hosts that the user's own configuration names one by one: what they lead to may lie in a private network. */
  readonly ownHosts?: readonly string[];
  /**
   * Asked when the program connects to a place that nobody has opened: the connection waits for the answer. Addresses and this machine are never
   * asked about. Without it, such a connection is refused at once.
   */
  readonly mayReach?: (place: HostPlace) => Promise<boolean>;
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute, real, inside the workspace. */
  readonly cwd: string;
  /** All that the program is to see of it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How to start a confined program. */
export interface SandboxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Open descriptors that the started process must get as 3, 4, … in this order. */
  readonly descriptors: readonly number[];
  /**
   * To be called once, when nothing of the program is left or it was never started: puts the workspace in order, and reports what
   * happened that people and the model should know.
   */
  finish(): Promise<SandboxReport>;
}

export interface SandboxReport {
  /** Why the sandbox itself ended the program, in words; absent: it did not. */
  readonly endedBecause?: string;
  /** What it left in the workspace that something else will run or obey later: hooks, git configuration, editor tasks, … In words, paths relative to the working directory. */
  readonly runsLater: readonly string[];
  /**
   * New names that agents, editors or git would have obeyed: taken out of the workspace, kept whole. Paths relative to the working
   * directory; ids by which they are brought back. Somebody else may have made them while the program ran.
   */
  readonly quarantined: readonly { readonly path: string; readonly id: string }[];
  /** `host:port` it wanted to reach and was refused. */
  readonly refusedHosts: readonly string[];
  readonly reach?: ChangeReach;
}

/** Where alone a program could change files, as real paths. Whatever changed elsewhere while it ran, somebody else has changed. */
export interface ChangeReach {
  readonly open: readonly string[];
  /** What in these it could not change. */
  readonly shut: readonly string[];
}

/**
 * Keeps programs apart from the machine.
 *
 * Contract:
 * - `test` really tries, from inside, what must be impossible; nothing is taken on trust. It is made once, and remembered.
 * - A confined program writes only below the workspace (when `workspace` is `write`), below `writable` and to its own temporary
 *   folder; never to what governs agents, git or editors and exists. What of that it makes is gone from the workspace when `finish`
 *   resolves, or at the next start where it was killed; nothing else is made in the workspace. It reads neither the user's home (but for
 *   toolchains) nor Capstan's own files nor protected files. It has no network but `hosts`.
 * - When the process that started it dies, nothing of it lives on, however it was started.
 * - Where it cannot be kept apart as asked, `enter` throws; it never falls back to less.
 */
export interface Sandbox {
  test(): Promise<Isolation>;
  /** @throws AppError `sandbox.failed`, `sandbox.layout` */
  enter(request: SandboxRequest): Promise<SandboxedProgram>;
  /** No program of the session will run any more: what they shared goes. */
  endSession(session: string): Promise<void>;
}
