import { runVariable } from "./processes/run-mark.ts";
import { type ObservedRun, type ProcessEnd, type ProcessRequest, runProcess } from "./run-process.ts";
import { mintRunId } from "./runs/run-id.ts";
import { Supervisor } from "./supervisor/supervisor.ts";

/** A program that no model asked for: with what it is given to read, and bounds to what it may write. */
export type ProgramRequest = Omit<ProcessRequest, "run" | "onData" | "pipeDirectory"> & {
  /** Of each stream; what comes beyond is read and left out. */
  readonly maxOutputBytes: number;
};

export interface ProgramEnd extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** It wrote more than is kept. */
  readonly isCut: boolean;
}

/** Runs programs beside those of models, and ends them as these: with their group, with their time, and with this process. */
export class ProgramRunner {
  readonly #supervisor = new Supervisor();

  /** @throws the system's error when it cannot be started */
  async run({ maxOutputBytes, environment, ...request }: ProgramRequest): Promise<ProgramEnd> {
    const id = mintRunId(Date.now());
    const kept = { stdout: new Kept(maxOutputBytes), stderr: new Kept(maxOutputBytes) };
    const end = await runProcess({
      ...request,
      environment: { ...environment, [runVariable]: id },
      run: this.#observed(id),
      onData: (stream, bytes) => {
        kept[stream].add(bytes);
        return undefined;
      },
    });
    const isCut = kept.stdout.isCut || kept.stderr.isCut;
    return { ...end, stdout: kept.stdout.text(), stderr: kept.stderr.text(), isCut };
  }

  #observed(id: string): ObservedRun {
    return {
      id,
      beforeStart: () => this.#supervisor.expect(id),
      notStarted: () => undefined,
      started: (pid) => this.#supervisor.started(id, pid),
      exited: () => undefined,
      over: () => this.#supervisor.over(id),
    };
  }
}

class Kept {
  readonly #limitBytes: number;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  isCut = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  add(bytes: Uint8Array): void {
    const room = this.#limitBytes - this.#bytes;
    this.isCut ||= bytes.length > room;
    const piece = bytes.subarray(0, Math.max(0, room));
    this.#bytes += piece.length;
    // The buffer may be used again.
    if (piece.length > 0) this.#pieces.push(Uint8Array.from(piece));
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}
