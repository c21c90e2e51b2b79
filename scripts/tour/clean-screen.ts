import { createHash } from "node:crypto";

/** Letters and digits that an id is made of. */
const idCharacters = 26;
/** Of an id's beginning, where a terminal shows no more. */
const shownCharacters = 8;

/**
 * Makes what differs from run to run the same in all of them: ids (the same one always the same), hashes, times, durations, counts of
 * tokens and what they cost, numbers of processes, the folder.
 */
export function createCleaner(folder: string): (screen: string) => string {
  const ids = new Map<string, string>();
  const stableId = (id: string): string => {
    const beginning = id.slice(0, shownCharacters);
    const known = ids.get(beginning) ?? madeUpId(ids.size);
    ids.set(beginning, known);
    return known.slice(0, id.length);
  };
  /** In a narrow table the beginning of an id that was shown before. */
  const stableBeginning = (cell: string, beginning: string): string => {
    const id = [...ids.keys()].find((known) => known.startsWith(beginning));
    return id === undefined ? cell : cell.replace(beginning, stableId(id).slice(0, beginning.length));
  };
  return (screen) =>
    screen
      .replaceAll(folder, "/home/ada")
      .replaceAll(/\b[0-9a-z]{26}\b/g, stableId)
      .replaceAll(/(?<= session )[0-9a-z]{8}$/gm, stableId)
      .replaceAll(/(?<= {2}(?:1-)?)([0-9a-z]{2,6})(?= {2})/g, stableBeginning)
      .replaceAll(/\b[0-9a-f]{64}\b/g, (hash) => sha256(hash.length.toString()))
      .replaceAll(/(--digest )[0-9a-f]{12}\b/g, `$1${sha256("digest").slice(0, 12)}`)
      .replaceAll(/\b(?:\d+ ms|\d+\.\d s)\b/g, "24 ms")
      .replaceAll(/\bduration_ms [\d.]+/g, "duration_ms 140.2")
      .replaceAll(/\b\d+ tokens in, \d+ out\b/g, "4200 tokens in, 120 out")
      .replaceAll(/\$\d+\.\d+/g, "$0.0210")
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "2026-01-15 10:20")
      .replaceAll(/(?:just now|\b\d+ (?:s|min) ago) +/g, "just now  ")
      .replaceAll(/(?<=· )(?:just now|\d+ (?:s|min) ago)$/gm, "just now")
      .replaceAll(/\basked \d+ s ago, for \S+, cli\b/g, "asked 2 s ago, for ada, cli")
      .replaceAll(/\bonly \S+ may answer$/gm, "only ada may answer")
      .replaceAll(/ · \d+ s · /g, " · 2 s · ")
      .replaceAll(/\bprocess \d+\b/g, "process 4711")
      .replaceAll(/ +$/gm, "")
      .trimEnd();
}

function madeUpId(count: number): string {
  const digits = BigInt(`0x${sha256(`id ${count}`)}`).toString(36);
  return digits.slice(0, idCharacters);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
