import type { JournalRecord } from "@capstan/protocol";

interface Waiting {
  /** The step or the rewind that carries it out, once it has begun. */
  work: string | null;
  resolve(words: string): void;
}

/** What was asked for beside turns (a summary, taking turns back), until it is done. */
export class AwaitedWork {
  readonly #waiting = new Map<string, Waiting>();

  /** @returns how it ended, in words */
  endOf(submissionId: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.set(submissionId, { work: null, resolve });
    });
  }

  /** It was not taken, or is not waited for any more. */
  end(submissionId: string, words: string): void {
    this.#waiting.get(submissionId)?.resolve(words);
    this.#waiting.delete(submissionId);
  }

  endAll(words: string): void {
    for (const id of this.#waiting.keys()) this.end(id, words);
  }

  take(record: JournalRecord): void {
    switch (record.type) {
      case "compaction-started":
        return this.#begin(record.submissionId, record.stepId);
      case "rewind-started":
        return this.#begin(record.submissionId, record.rewindId);
      case "compaction-completed":
        return this.#finish(record.stepId, "Older messages became a summary.");
      case "compaction-failed":
        return this.#finish(record.stepId, record.message);
      case "rewind-finished": {
        const left = record.conflicts.map(({ path, reason }) => `\n${path} was left alone: ${reason}`).join("");
        return this.#finish(record.rewindId, `Done; ${record.restored.length} files were restored.${left}`);
      }
      case "notice":
        if (record.submissionId !== undefined) this.end(record.submissionId, record.text);
        return;
      default:
        return;
    }
  }

  #begin(submissionId: string | undefined, work: string): void {
    const waiting = submissionId === undefined ? undefined : this.#waiting.get(submissionId);
    if (waiting !== undefined) waiting.work = work;
  }

  #finish(work: string, words: string): void {
    for (const [id, waiting] of this.#waiting) if (waiting.work === work) this.end(id, words);
  }
}
