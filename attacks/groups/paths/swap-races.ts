import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { startSwapper } from "../../../adapters/tools/test/paths/swapper.ts";
import { naiveRaceRounds, raceRounds } from "../../limits.ts";
import { type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";

/** P3: while another process swaps a directory on the way for a link outside, as fast as it can. */
export function swapRaces(): readonly Attack[] {
  return kinds.flatMap((kind) =>
    operations.map((operation): Attack => ({
      row: "P3",
      input: `${operation.tool}, ${operation.name}, while a ${kind} is swapped`,
      attempt: async () =>
        inFilePlace(async (place) => {
          const rounds = Math.ceil(raceRounds() / operation.cost);
          return await race(place, kind, rounds, async (round) =>
            textOf(await place.call(operation.tool, operation.args(round))),
          );
        }),
      control: async () =>
        inFilePlace(async (place) => await race(place, kind, naiveRaceRounds, async () => operation.naively(place))),
    })),
  );
}

type Kind = "link" | "directory";
const kinds: readonly Kind[] = ["link", "directory"];
const outsideMark = "LIES-OUTSIDE";

interface Operation {
  readonly tool: string;
  readonly name: string;
  /** How many times longer than a read it takes. */
  readonly cost: number;
  readonly args: (round: number) => JsonObject;
  /** The same by names: checked, then opened again. */
  readonly naively: (place: FilePlace) => string;
}

const operations: readonly Operation[] = [
  { tool: "read_file", name: "a file", cost: 1, args: () => ({ path: "place/file" }), naively: readNaively },
  {
    tool: "search",
    name: "a folder",
    cost: 10,
    args: () => ({ pattern: "LIES", path: "place" }),
    naively: readNaively,
  },
  { tool: "glob", name: "a folder", cost: 3, args: () => ({ pattern: "**", path: "place" }), naively: listNaively },
  {
    tool: "write_file",
    name: "a new file",
    cost: 3,
    args: (round) => ({ path: `place/new-${round}`, content: "planted" }),
    naively: writeNaively,
  },
  {
    tool: "write_file",
    name: "a file that is there",
    cost: 3,
    args: () => ({ path: "place/file", content: "planted", overwrite: true }),
    naively: writeNaively,
  },
  {
    tool: "apply_patch",
    name: "a new file",
    cost: 3,
    args: (round) => ({ patch: `LP1\nF place/patch-${round}\nT\nplanted\n.\nEND\n` }),
    naively: writeNaively,
  },
];

async function race(
  { base, cwd }: FilePlace,
  kind: Kind,
  rounds: number,
  attempt: (round: number) => Promise<string>,
): Promise<Outcome> {
  const place = join(cwd, "place");
  const [inside, outside] = [join(cwd, "moved"), join(base, "swapped-outside")];
  for (const [folder, content] of [
    [outside, outsideMark],
    [kind === "link" ? inside : place, "inside"],
  ] as const) {
    mkdirSync(folder);
    writeFileSync(join(folder, "file"), content);
    writeFileSync(join(folder, content), "");
  }
  const before = treeOf(outside);
  const swapper = await startSwapper(kind, place, [inside, outside]);
  let reached = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const text = await settled(attempt, round);
      if (text !== undefined) reached += 1;
      if (text?.includes(outsideMark) === true || treeOf(outside) !== before)
        return outcome(true, `escaped in round ${round}`);
    }
  } finally {
    await swapper.stop();
  }
  return outcome(treeOf(outside) !== before, `${rounds} rounds, ${reached} of them answered`);
}

/** What an attempt brought; `undefined`: just then nothing stood there. */
async function settled(attempt: (round: number) => Promise<string>, round: number): Promise<string | undefined> {
  try {
    return await attempt(round);
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

function treeOf(folder: string): string {
  return JSON.stringify(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function checkedNaively({ cwd }: FilePlace, name: string): string {
  const path = join(cwd, "place");
  if (!realpathSync(path).startsWith(`${cwd}/`)) throw Object.assign(new Error("refused"), { syscall: "check" });
  return join(path, name);
}

function readNaively(place: FilePlace): string {
  return readFileSync(checkedNaively(place, "file"), "utf8");
}

function listNaively(place: FilePlace): string {
  return readdirSync(checkedNaively(place, "")).join("\n");
}

function writeNaively(place: FilePlace): string {
  writeFileSync(checkedNaively(place, "planted"), "planted");
  return "written";
}
