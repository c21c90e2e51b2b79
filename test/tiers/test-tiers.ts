/** Which test file runs when: its name says it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `fast` is what every change waits for (`npm test`), `slow` the rest (`npm run test:all`). */
export type Tier = "fast" | "slow";

/** Folders that hold no test of ours. */
const otherFolders: ReadonlySet<string> = new Set(["node_modules", "dist", "bin", "coverage", ".git"]);

/** Calls by which a fast file asks for more in the slow tier: more runs of a property, more cases or tests, every wire. */
const deepens =
  /(?<![.\w])(?:slowTest[.(]|isSlowTier\b|(?:sessionStoreContract|engineClientContract|runs|sampled|inTurn|overWires|casesOf|cutAnywhere|cutEverywhere)\()/;

export function tierOf(path: string): Tier {
  return path.endsWith(".slow.test.ts") ? "slow" : "fast";
}

/** All test files of the repository, from its root, with `/`. */
export function testFiles(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return otherFolders.has(entry.name) ? [] : testFiles(root, path);
      return entry.name.endsWith(".test.ts") ? [path] : [];
    });
}

/** The files that a tier runs: its own, and in the slow tier also those of the fast one that do more there. */
export function filesToRun(root: string, tier: Tier): readonly string[] {
  return testFiles(root).filter(
    (path) => tierOf(path) === tier || (tier === "slow" && deepens.test(readFileSync(join(root, path), "utf8"))),
  );
}
