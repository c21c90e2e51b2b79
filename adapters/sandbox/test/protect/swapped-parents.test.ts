import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { makePlace, type Place, runInside } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { killedAfter } from "../support/killed-after.ts";

/** Names of the user's own that a link of the same name in the workspace would lead to. */
const own = [".claude", "CLAUDE.md"];

/** A folder `d` of the workspace with links that are kept, and the user's own files of the same names. */
function furnish(place: Place): void {
  mkdirSync(join(place.workspace, "d", ".git"), { recursive: true });
  mkdirSync(join(place.workspace, "e"));
  for (const name of [".claude", "CLAUDE.md"])
    symlinkSync(join(place.workspace, "e"), join(place.workspace, "d", name));
  mkdirSync(join(place.home, ".claude"));
  mkdirSync(join(place.home, ".git"));
  writeFileSync(join(place.home, ".claude", "settings.json"), "mine");
  writeFileSync(join(place.home, "CLAUDE.md"), "mine");
}

const swap = (place: Place): string => `mv d d_old; ln -s ${place.home} d`;

/** Everything in the home but the workspace and Capstan's data. */
function homeOf({ home }: Place): readonly string[] {
  return readdirSync(home)
    .filter((name) => name !== "work" && name !== ".capstan")
    .flatMap((name) => [name, ...(lstatSync(join(home, name)).isDirectory() ? readdirSync(join(home, name)) : [])]);
}

describe.skipIf(!hasBubblewrap)("a folder whose place was taken by a link (needs bubblewrap)", () => {
  test("is put in order where it is now, and nothing is touched where the link leads", async () => {
    const place = makePlace();
    furnish(place);
    const before = homeOf(place);
    const { report } = await runInside(place, `rm d/CLAUDE.md; echo evil > d/CLAUDE.md; ${swap(place)}`);
    expect(readlinkSync(join(place.workspace, "d"))).toBe(place.home);
    expect([homeOf(place), readFileSync(join(place.home, "CLAUDE.md"), "utf8")]).toEqual([before, "mine"]);
    expect(lstatSync(join(place.home, ".claude")).isSymbolicLink()).toBe(false);
    expect(readlinkSync(join(place.workspace, "d_old", "CLAUDE.md"))).toBe(join(place.workspace, "e"));
    expect(report.runsLater).toEqual(expect.arrayContaining([expect.stringContaining("d/CLAUDE.md was replaced")]));
  });

  test("is left alone after a kill, and that is reported with the next command", async () => {
    const place = makePlace();
    furnish(place);
    const before = homeOf(place);
    await killedAfter(place, swap(place));
    const { report } = await runInside(place, "true");
    expect([homeOf(place), readFileSync(join(place.home, "CLAUDE.md"), "utf8")]).toEqual([before, "mine"]);
    expect(report.runsLater).toEqual(
      expect.arrayContaining([expect.stringContaining("d/CLAUDE.md is not put in order after a killed command")]),
    );
    expect((await runInside(place, "true")).report.runsLater).toEqual([]);
  });

  test("by paths, as a careless clean-up goes, the user's own files would have been replaced", async () => {
    const place = makePlace();
    furnish(place);
    await runInside(place, swap(place));
    for (const name of own.filter((entry) => existsSync(join(place.home, entry)))) {
      const path = join(place.workspace, "d", name);
      if (!lstatSync(path).isSymbolicLink()) {
        renameSync(path, `${path}.set-aside`);
        symlinkSync(join(place.workspace, "e"), path);
      }
    }
    expect(readlinkSync(join(place.home, ".claude"))).toBe(join(place.workspace, "e"));
    expect(readlinkSync(join(place.home, "CLAUDE.md"))).toBe(join(place.workspace, "e"));
  });

  test("another folder with the same path is not taken for it", async () => {
    const place = makePlace();
    furnish(place);
    await killedAfter(place, "true");
    renameSync(join(place.workspace, "d"), join(place.workspace, "d_old"));
    mkdirSync(join(place.workspace, "d"));
    writeFileSync(join(place.workspace, "d", "CLAUDE.md"), "of the user");
    await createSandbox(place.options).test();
    expect(readdirSync(join(place.workspace, "d"))).toEqual(["CLAUDE.md"]);
    expect(readFileSync(join(place.workspace, "d", "CLAUDE.md"), "utf8")).toBe("of the user");
  });
});
