import { planRewind } from "@capstan/policy";
import type { RewindPreview } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";

/** What taking back all turns but the first so many would do, as far as the journal shows. */
export function previewRewind({ turns }: SessionState, keepTurns: number): RewindPreview {
  const taken = turns.slice(Math.max(0, keepTurns));
  const { files, conflicts } = planRewind(taken.map(({ effects }) => effects));
  return {
    turns: taken.map(({ turnId }) => turnId),
    files: files.map(({ path, before, after }) => ({
      path,
      change: before === null ? "created" : after === null ? "removed" : "changed",
    })),
    conflicts,
    left: [...new Set(taken.flatMap(({ left }) => left))],
  };
}
