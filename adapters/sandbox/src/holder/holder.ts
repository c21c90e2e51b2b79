import { closeSync } from "node:fs";
import type { Mount } from "../layout/profile.ts";
import { openAgain, openAnonymousProgram } from "../launch/anonymous-file.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import { runBounded } from "../launch/run-bounded.ts";
import { WayOut } from "../network/way-out.ts";
import type { EnteredProgram } from "./entered-program.ts";
import { openListener } from "./open-listener.ts";
import { callsForMount, joinDescriptors, mountProgram } from "./own-programs.ts";

/** Namespaces of a holder, as open descriptors: they last as long as one of these, or a process in them. */
export interface HolderDescriptors {
  /** The program that enters the holder. */
  readonly program: number;
  readonly user: number;
  readonly network: number;
  readonly mounts: number;
  readonly filter: number;
}

/**
 * What the commands of a session share: one network, all mounts, a `/tmp` and a home. No process is in it but those that were started
 * to enter it, so there is none that a command could see, signal or trace; when this process ends, in whatever way, it is gone.
 */
export class Holder {
  readonly #descriptors: HolderDescriptors;
  readonly #calls: SystemCalls;
  readonly #directory: string;
  readonly #sources: ReadonlyMap<string, string>;
  #wayOut: Promise<WayOut> | undefined;
  #isClosed = false;

  /**
   * @param directory  where nameless files can be made
   * @param sources  what covers closed files and folders: its path outside, and in the holder
   */
  constructor(
    descriptors: HolderDescriptors,
    {
      calls,
      directory,
      sources,
    }: { readonly calls: SystemCalls; readonly directory: string; readonly sources: ReadonlyMap<string, string> },
  ) {
    this.#descriptors = descriptors;
    this.#calls = calls;
    this.#directory = directory;
    this.#sources = sources;
  }

  /** How to start a program in it. @param file  its path in the holder */
  enter(file: string, args: readonly string[]): EnteredProgram {
    const { program, user, network, mounts } = this.#descriptors;
    return {
      file: `/proc/self/fd/${joinDescriptors.program}`,
      args: [file, ...args],
      descriptors: [program, user, network, mounts],
    };
  }

  /** The filter of system calls, for one command. @throws the system's error */
  openFilter(): number {
    return openAgain(this.#descriptors.filter);
  }

  /**
   * Lays mounts over what the commands see, also those that run.
   * @returns those that could not be made
   * @throws Error when the holder cannot be entered
   */
  async cover(mounts: readonly Mount[]): Promise<readonly Mount[]> {
    if (mounts.length === 0) return [];
    const program = mountProgram(this.#calls, process.arch, { mounts, sources: this.#sources });
    const own = openAnonymousProgram(this.#directory, program.file);
    try {
      const entered = this.#enterOwn();
      const ended = await runBounded(entered.file, entered.args, [...entered.descriptors, own]);
      const results = ended.type === "ended" ? program.read(ended.output) : undefined;
      if (results === undefined)
        throw new Error(ended.type === "ended" ? `it ended with ${ended.exitCode}` : ended.reason);
      return mounts.filter((_, at) => (results[at * callsForMount + 2]?.value ?? -1) < 0);
    } finally {
      closeSync(own);
    }
  }

  /** The way out of its network, which all commands share; opened by the first that needs one. @throws Error when it cannot be */
  async wayOut(): Promise<WayOut> {
    this.#wayOut ??= openListener(this.#enterOwn(), this.#calls, this.#directory).then((listener) =>
      WayOut.through(listener),
    );
    try {
      return await this.#wayOut;
    } catch (error) {
      this.#wayOut = undefined;
      throw error;
    }
  }

  /** Nothing can be started in it any more; it lasts until what runs in it has ended. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#wayOut?.then((wayOut) => wayOut.close()).catch(() => undefined);
    for (const descriptor of Object.values(this.#descriptors)) closeSync(descriptor);
  }

  /** A program of our own, given to it behind the namespaces. */
  #enterOwn(): EnteredProgram {
    return this.enter(`/proc/self/fd/${joinDescriptors.first}`, []);
  }
}
