import { behaviourInShell, newRepositories } from "../groups/behaviour/behaviour-in-shell.ts";
import { behaviourWrites } from "../groups/behaviour/behaviour-writes.ts";
import { approvals } from "../groups/commands/approvals.ts";
import { commandLines } from "../groups/commands/command-lines.ts";
import { keptOutput } from "../groups/holes/kept-output.ts";
import { movedAway } from "../groups/holes/moved-away.ts";
import { openHomes } from "../groups/holes/open-homes.ts";
import { plantedRepositories } from "../groups/holes/planted-repositories.ts";
import { readableDisk } from "../groups/holes/readable-disk.ts";
import { sessionFiles } from "../groups/holes/session-files.ts";
import { shownKeys } from "../groups/holes/shown-keys.ts";
import { obedientModel } from "../groups/injection/obedient-model.ts";
import { changedPlaces, oddFiles, protectedInShell } from "../groups/paths/odd-files.ts";
import { pathSpellings } from "../groups/paths/path-spellings.ts";
import { pathWrites, protectedFiles } from "../groups/paths/path-writes.ts";
import { swapRaces } from "../groups/paths/swap-races.ts";
import { hostileCalls, hostileIds } from "../groups/providers/hostile-streams.ts";
import { hostileVendors } from "../groups/providers/hostile-vendors.ts";
import { exhaustion, outputFloods } from "../groups/resources/floods.ts";
import { callFloods, hostileArguments, slowPatterns } from "../groups/resources/patterns-and-arguments.ts";
import { debuggers, environments } from "../groups/secrets/environments.ts";
import { leakingSessions } from "../groups/secrets/leaking-sessions.ts";
import { shownTexts } from "../groups/terminal/shown-texts.ts";
import { borrowedTrust } from "../groups/trust/borrowed-trust.ts";
import { foreignSettings } from "../groups/trust/foreign-settings.ts";
import type { Attack } from "./attack.ts";

/** Every attack, in the order of the catalogue. */
export async function allAttacks(): Promise<readonly Attack[]> {
  return [
    ...foreignSettings(),
    ...borrowedTrust(),
    ...behaviourWrites(),
    ...behaviourInShell(),
    ...newRepositories(),
    ...commandLines(),
    ...approvals(),
    ...pathSpellings(),
    ...pathWrites(),
    ...protectedFiles(),
    ...swapRaces(),
    ...oddFiles(),
    ...protectedInShell(),
    ...changedPlaces(),
    ...outputFloods(),
    ...slowPatterns(),
    ...exhaustion(),
    ...hostileArguments(),
    ...callFloods(),
    ...environments(),
    ...leakingSessions(),
    ...debuggers(),
    ...shownTexts(),
    ...obedientModel(),
    ...hostileCalls(),
    ...hostileIds(),
    ...hostileVendors(),
    ...sessionFiles(),
    ...movedAway(),
    ...plantedRepositories(),
    ...keptOutput(),
    ...shownKeys(),
    ...readableDisk(),
    ...openHomes(),
  ];
}
