/**
 * `npm run mutants`: a random sample of small changes of the sources, one at a time in a copy of the tree, and which of them the
 * tests of the fast tier that load them do not notice, with `--binary` also those that start it. `-- --sample 40 --seed 7
 * --folder core/engine`, or every change of one file or line, or one as it was printed:
 * `-- --at core/session/src/evolve/evolve.ts:40`. The working tree stays as it is.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SeededRandom } from "@capstan/testkit";
import { readLayers } from "../test/tidy/layers.ts";
import { sourceFiles } from "../test/tidy/source-file.ts";
import { filesToRun } from "../test/tiers/test-tiers.ts";
import { Judge, type Mutant, type TestsOfMutants, type Verdict } from "./mutants/judge-mutant.ts";
import { mutationsOf } from "./mutants/mutations.ts";
import { NearestTests } from "./mutants/nearest-tests.ts";
import { TreeCopy } from "./mutants/tree-copy.ts";
import { WarmTests } from "./mutants/warm-tests.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    folder: { type: "string", multiple: true },
    at: { type: "string", multiple: true },
    near: { type: "boolean", default: false },
    binary: { type: "boolean", default: false },
  },
});
const [sample, seed] = [Number(values.sample ?? (values.at === undefined ? 40 : Infinity)), Number(values.seed)];
const packages = Object.keys(readLayers(root));
const folders = values.folder ?? packages.filter((folder) => /^(?:core|adapters)\//.test(folder));
/** How long a batch of tests may take on a busy machine. */
const testLimitMs = 600_000;
/** What tests load of the repository that belongs to no package. */
const besidePackages: readonly string[] = ["test", "attacks", "examples", "scripts", "torture", "bench"];
/** A limit one larger is another limit, and no fault. */
const isCounted = (path: string): boolean => !path.endsWith("/limits.ts") && !path.endsWith("/index.ts");
const isAsked = ({ path, line, what }: Mutant): boolean =>
  values.at === undefined || values.at.some((at) => [path, `${path}:${line}`, `${path}:${line} ${what}`].includes(at));

const copy = new TreeCopy(root);
const warm = new WarmTests(copy, testLimitMs);
try {
  process.exitCode = await tryAll(draw());
} finally {
  warm.close();
  copy.remove();
}

/** All changes there are, in an order that the seed chooses. */
function draw(): Mutant[] {
  const all = folders.flatMap((folder) =>
    sourceFiles(root, `${folder}/src`)
      .filter(({ path }) => isCounted(path))
      .flatMap(({ path, text }) => mutationsOf(text).map((mutation) => ({ ...mutation, folder, path })))
      .filter(isAsked),
  );
  const random = new SeededRandom(seed);
  return all
    .map((mutant) => ({ mutant, place: random.fraction() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ mutant }) => mutant);
}

async function tryAll(drawn: readonly Mutant[]): Promise<number> {
  print(`seed ${seed}: ${Math.min(sample, drawn.length)} of ${drawn.length} changes in ${folders.join(", ")}`);
  const built = await copy.run("tsc", ["-b"], { limitMs: 600_000 });
  if (built.code !== 0) throw new Error(`the tree does not compile:\n${built.output}`);
  const judge = new Judge(copy, warm, readTests());
  const counts: Record<Verdict, number> = { killed: 0, late: 0, survived: 0, invalid: 0 };
  for (const mutant of drawn) {
    if (counts.killed + counts.late + counts.survived >= sample) break;
    const verdict = await judge.judge(mutant, (test) => !values.near || test.startsWith(`${mutant.folder}/`));
    counts[verdict] += 1;
    print(`${verdict.padEnd(8)} ${mutant.path}:${mutant.line} ${mutant.what}`);
  }
  const { killed, late, survived, invalid } = counts;
  const tried = killed + late + survived;
  const share = tried === 0 ? 0 : Math.round(((killed + late) / tried) * 100);
  print(
    `${killed + late} of ${tried} killed (${share} %; ${late} by taking too long), ${survived} survived; ${invalid} more did not compile; seed ${seed}`,
  );
  return survived === 0 ? 0 : 1;
}

function readTests(): TestsOfMutants {
  const layers = Object.entries(readLayers(root));
  const files = [...besidePackages, ...layers.map(([folder]) => folder)].flatMap((folder) => sourceFiles(root, folder));
  const named = new Map(layers.map(([folder, { name }]) => [name.replace("@capstan/", ""), folder]));
  const nearest = new NearestTests(files, filesToRun(root, "fast"), named);
  const starting = files.filter(({ text }) => text.includes('inject("capstanEntry")'));
  return {
    nearest,
    ofBinary: new Set(starting.flatMap(({ path }) => nearest.of(path))),
    startsBinary: values.binary,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
