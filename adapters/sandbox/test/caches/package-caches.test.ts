import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cacheNameOf } from "../../src/caches/keep-caches.ts";
import { tidyCaches } from "../../src/caches/tidy-caches.ts";
import { makePlace, type Place, runInside } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const own = "the user's own";

function furnish(): Place & { readonly caches: string } {
  const place = makePlace();
  const caches = join(place.home, ".capstan", "caches");
  for (const path of [".npm/_cacache", ".cache/pip", "go/pkg/mod"]) {
    mkdirSync(join(place.home, path), { recursive: true });
    writeFileSync(join(place.home, path, "package"), own);
  }
  return { ...place, caches, options: { ...place.options, cacheDirectory: caches } };
}

const fill =
  "cd; for at in .npm/_cacache .cache/pip .cargo/registry; do mkdir -p $at && cat $at/package; echo ours >> $at/package; done; cat go/pkg/mod/package";

describe.skipIf(!hasBubblewrap)("package managers' caches (needs bubblewrap)", () => {
  test.each(users)("are the workspace's, empty at first and kept for its next session: $name", async (user) => {
    const place = furnish();
    const missing = "cat: .npm/_cacache/package: No such file or directory\n";
    const [first, second] = await user.run(place, [`${fill} 2>&1`, `${fill} 2>&1`]);
    expect(first?.output).toContain(missing);
    expect(first?.output).toContain(own);
    expect(second?.output).toBe(`ours\nours\nours\n${own}`);
    expect(user.runBare(place, "cat ~/.npm/_cacache/package ~/.cache/pip/package; ls -A ~/.cargo")).toMatch(
      new RegExp(`^${own}${own}ls: cannot access`),
    );
  });

  test("of one workspace are not seen in another", async () => {
    const place = furnish();
    mkdirSync(join(place.home, "other"));
    expect((await runInside(place, "mkdir ~/.npm/x && ls ~/.npm")).output).toBe("x\n");
    const other = { ...place, workspace: join(place.home, "other") };
    expect((await runInside(other, "ls ~/.npm; echo nothing")).output).toBe("nothing\n");
  });

  test("are not written to by commands that may only read, and are the user's own where these are named", async () => {
    const place = furnish();
    const write = "mkdir -p ~/.npm/x && echo WROTE";
    const reading = await runInside(place, write, { confinement: { workspace: "read" } });
    expect(reading.output).not.toContain("WROTE");
    expect((await runInside(place, write)).output).toContain("WROTE");
    const named = { ...place, options: { ...place.options, readable: [".npm"] } };
    expect((await runInside(named, "cat ~/.npm/_cacache/package")).output).toBe(own);
  });

  test("that are too large are dropped, those not used for longest first; a link in them leads nowhere", async () => {
    const place = furnish();
    const elsewhere = join(place.home, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "file"), own);
    const names = ["first", "second", "third"].map((name) => cacheNameOf([name]));
    for (const [at, name] of names.entries()) {
      const folder = join(place.caches, name, ".npm", "shut");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "file"), Buffer.alloc(100_000, 1));
      symlinkSync(elsewhere, join(folder, "link"));
      const usedAt = new Date(Date.now() - (10 - at) * 3_600_000);
      utimesSync(join(place.caches, name), usedAt, usedAt);
    }
    const [first = "", second = "", third = ""] = names;
    const left = (): readonly string[] => readdirSync(place.caches).filter((name) => name !== "measured");
    await tidyCaches(place.caches, { inUse: first, limitBytes: 250_000, restMs: 3_600_000 });
    expect(new Set(left())).toEqual(new Set([first, third]));
    expect(second).not.toBe("");
    // Within the hour nothing is measured again.
    await tidyCaches(place.caches, { inUse: first, limitBytes: 50_000, restMs: 3_600_000 });
    expect(left()).toHaveLength(2);
    await tidyCaches(place.caches, { inUse: first, limitBytes: 50_000, restMs: 0 });
    expect(left()).toEqual([first]);
    expect(existsSync(join(elsewhere, "file"))).toBe(true);
  });

  test("that alone are too large are empty for the next session", async () => {
    const place = furnish();
    expect(
      (await runInside(place, "mkdir ~/.npm/x && echo a > ~/.npm/x/file && chmod 555 ~/.npm/x && ls ~/.npm")).output,
    ).toBe("x\n");
    await tidyCaches(place.caches, { inUse: cacheNameOf([place.workspace]), limitBytes: 0, restMs: 0 });
    expect((await runInside(place, "ls ~/.npm; echo empty")).output).toBe("empty\n");
  });
});
