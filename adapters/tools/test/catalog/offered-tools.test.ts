import { tmpdir } from "node:os";
import { join } from "node:path";
import { absentSandbox } from "@capstan/testkit";
import { expect, test } from "vitest";
import { builtInSource } from "../../src/index.ts";

const source = builtInSource({
  deniedPatterns: [],
  allowAbsolute: true,
  home: "/home/nobody",
  ownFolders: [],
  sandbox: absentSandbox,
  spillDirectory: join(tmpdir(), "capstan-spill-none"),
  statusDirectory: join(tmpdir(), "capstan-runs-none"),
  environment: {},
  shell: undefined,
  timeouts: { fileMs: 30_000, commandMs: 120_000, maxCommandMs: 600_000, searchMs: 20_000 },
  limits: {
    outputBytes: 100_000,
    readBytes: 200_000,
    scanBytes: 2_000_000,
    patchBytes: 500_000,
    writeBytes: 1_000_000,
    searchResults: 200,
    globResults: 1000,
  },
  // Its tools are described without it.
  git: () => Promise.reject(new Error("no git")),
});

/** Models' caches stand on these texts, and a field that is needed or a bound that moves refuses calls: `-u` when that is meant. */
test("what models are shown of the built-in tools, and what is taken from them, changes on purpose only", async () => {
  const offered = source.tools().map(({ definition, accepts, effect, aliases }) => ({
    ...definition,
    effect,
    aliases,
    ...(accepts === undefined ? {} : { accepts }),
  }));
  await expect(`${JSON.stringify(offered, null, 1)}\n`).toMatchFileSnapshot("offered-tools.txt");
});
