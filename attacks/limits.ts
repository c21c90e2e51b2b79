/** Rounds of a race in an ordinary run; a check of names is beaten about once in 20 to 100 rounds. */
const usualRaceRounds = 300;
/** Rounds of the nightly run: those of the attack catalogue. */
const nightlyRaceRounds = 40_000;

/** After so many rounds a race is not there, and the control has failed. */
export const naiveRaceRounds = 40_000;

/** Rounds of each race: `ATTACK_ROUNDS`, else those of the run that was asked for. */
export function raceRounds(): number {
  const asked = Number(process.env["ATTACK_ROUNDS"] ?? "");
  if (Number.isSafeInteger(asked) && asked > 0) return asked;
  return process.env["ATTACK_NIGHTLY"] === undefined ? usualRaceRounds : nightlyRaceRounds;
}
