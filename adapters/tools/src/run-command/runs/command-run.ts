import { messageOf } from "@capstan/protocol";
import { runVariable } from "../processes/run-mark.ts";
import type { ObservedRun } from "../run-process.ts";
import { readBootId } from "./boot-id.ts";
import type { RunSupervision } from "./run-supervision.ts";
import type { RunEnd, RunStatus } from "./run-status.ts";
import type { StatusFile } from "./status-file.ts";

/** One run of a command: noted before it starts, followed, and seen to its end whatever becomes of this process. */
export class CommandRun implements ObservedRun {
  readonly id: string;
  readonly #digest: string;
  readonly #supervision: RunSupervision;
  #file: StatusFile | undefined;

  constructor(id: string, digest: string, supervision: RunSupervision) {
    this.id = id;
    this.#digest = digest;
    this.#supervision = supervision;
  }

  /** @param environment  of the command, without the mark */
  environment(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { ...environment, [runVariable]: this.id };
  }

  beforeStart(): void {
    const { folder, supervisor } = this.#supervision;
    try {
      this.#file = folder.create(this.id);
      this.#file.append({ type: "starting", digest: this.#digest });
    } catch (error) {
      // Without the note nobody would know, after a crash, whether it had been started.
      throw new Error(`its start could not be noted (${messageOf(error)}). Nothing was run.`, { cause: error });
    }
    supervisor.expect(this.id);
  }

  notStarted(): void {
    this.#file?.remove();
  }

  started(pid: number, startTicks: number | undefined): void {
    this.#supervision.supervisor.started(this.id, pid);
    const bootId = readBootId() ?? null;
    this.#note({ type: "running", digest: this.#digest, pid, startTicks: startTicks ?? null, bootId });
  }

  exited(end: RunEnd): void {
    this.#note({ type: "exited", digest: this.#digest, ...end });
  }

  over(): void {
    this.#supervision.supervisor.over(this.id);
    this.#file?.close();
  }

  /** What cannot be written leaves the older note, which claims less. */
  #note(status: RunStatus): void {
    try {
      this.#file?.append(status);
    } catch {
      // After a crash the call is in doubt.
    }
  }
}
