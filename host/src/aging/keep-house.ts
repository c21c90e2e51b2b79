import type { DecisionPorts } from "@capstan/runtime";
import type { DataDirectory } from "@capstan/settings";
import type { Settings } from "../load-settings.ts";
import { pruneSpill } from "../session/prune-spill.ts";
import { compressLater } from "./compress-later.ts";

/** What is done beside the work so that the data directory stays small. Nobody waits for it, but for its end. */
export function keepHouse(
  data: DataDirectory,
  { loaded }: Pick<Settings, "loaded">,
  { clock, report }: Pick<DecisionPorts, "clock" | "report">,
): { end(): Promise<void> } {
  const pruned = pruneSpill(data.spill, clock.now());
  const aging = compressLater(data.database, { afterDays: loaded.values.sessions.compress_after_days, clock, report });
  return {
    async end() {
      aging.stop();
      await pruned;
    },
  };
}
