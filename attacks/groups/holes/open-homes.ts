import { chmodSync, mkdirSync } from "node:fs";
import { type CapstanPlace, inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";

const open = [0o777, 0o1777, 0o707, 0o702] as const;

/** Row H12: a data directory in which others can put a configuration, a grant or a session. The control is one of the user's own. */
export function openHomes(): readonly Attack[] {
  return open.map((mode): Attack => ({
    row: "H12",
    input: `CAPSTAN_HOME with mode ${mode.toString(8)}`,
    attempt: () => inCapstanPlace((place) => tryOut(place, mode)),
    control: () => inCapstanPlace((place) => tryOut(place, 0o700)),
  }));
}

async function tryOut(place: CapstanPlace, mode: number): Promise<Outcome> {
  mkdirSync(place.data);
  chmodSync(place.data, mode);
  const run = await place.run([{ text: "done" }], ["go"]);
  return outcome(run.code === 0, run.stderr.trim().split("\n").at(-1) ?? "");
}
