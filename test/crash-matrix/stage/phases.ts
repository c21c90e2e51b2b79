import type { AppendBatch } from "@capstan/ports";
import { type JournalRecord, toStepId } from "@capstan/protocol";

/** The phases of the crash matrix that a session without a server, connectors or plan review has. */
export const phases = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10"] as const;
export type Phase = (typeof phases)[number];

const firstStep = toStepId("t1.s1");

/**
 * The phase that a session is in once this record is stored, until another begins; `null`: in none that is distinguished;
 * `undefined`: it stays as it was. `b` is the command of the journey.
 */
function phaseAfter(record: JournalRecord): Phase | null | undefined {
  switch (record.type) {
    case "turn-started":
      return "P1";
    case "text-delta":
      return record.stepId === firstStep ? "P2" : null;
    case "tool-arguments-delta":
      return "P3";
    case "step-started":
      return record.stepId === firstStep ? undefined : null;
    case "step-completed":
      return record.reason === "tool-calls" ? "P4" : null;
    case "interaction-opened":
      return "P5";
    case "interaction-resolved":
      return "P6";
    case "tool-started":
      return record.callId === "b" ? "P7" : undefined;
    case "tool-output-delta":
      return "P8";
    case "tool-finished":
      return record.callId === "b" ? "P9" : undefined;
    case "compaction-started":
      return "P10";
    case "compaction-completed":
    case "turn-ended":
      return null;
    default:
      return undefined;
  }
}

/** Follows a journal through its phases. The first phase begins with the words themselves. */
export class PhaseReader {
  phase: Phase | null = "P1";

  read({ records }: Pick<AppendBatch, "records">): void {
    for (const record of records) {
      const next = phaseAfter(record);
      if (next !== undefined) this.phase = next;
    }
  }
}
