import { Supervisor } from "../supervisor/supervisor.ts";
import { StatusFolder } from "./status-folder.ts";

/** Watches all runs of commands. */
export class RunSupervision {
  readonly folder: StatusFolder;
  readonly supervisor: Supervisor = new Supervisor();
  #pruned: Promise<void> | undefined;

  constructor(statusDirectory: string) {
    this.folder = new StatusFolder(statusDirectory);
  }

  /** Removes the notes of runs long past, during the first command of this process. */
  async prune(): Promise<void> {
    this.#pruned ??= this.folder.prune(Date.now());
    await this.#pruned;
  }
}
