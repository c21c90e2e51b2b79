import { chmodSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reversed, Workshop } from "./workshop.ts";

/** What this process has open of a workshop. */
function openIn({ base }: Workshop): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const to = readlinkSync(join("/proc/self/fd", name));
      return to.startsWith(`${base}/`) ? [to.slice(base.length + 1)] : [];
    } catch {
      // The listing's own.
      return [];
    }
  });
}

test.skipIf(process.platform !== "linux")(
  "nothing stays open after a checkpoint, a look, an undo that meets others' changes, and a copy",
  async () => {
    const shop = new Workshop();
    for (const name of ["a", "sub/b", "sub/deep/c", "gone/d", "folder"]) shop.write(name, "1");
    shop.link("link", "a");
    const checkpoint = await shop.keep();
    const named = await shop.keep(["a", "none", "sub", "sub/b/inner", "link"]);
    expect(openIn(shop)).toEqual([]);
    for (const name of ["a", "sub/b", "sub/deep/c", "new/e"]) shop.write(name, "2");
    shop.remove("gone");
    shop.remove("folder");
    shop.write("folder/inner", "2");
    const undo = reversed(await shop.since(checkpoint));
    expect([await shop.since(named), openIn(shop)]).toMatchObject([[{ path: shop.path("a") }], []]);
    shop.write("sub/b", "3");
    shop.remove("sub/deep");
    shop.write("sub/deep", "a file");
    chmodSync(shop.path("a"), 0o755);
    const answers = await shop.apply(undo);
    expect([answers.filter((answer) => answer !== "done").length > 1, openIn(shop)]).toEqual([true, []]);
    await shop.apply(reversed(undo));
    expect(openIn(shop)).toEqual([]);
    const copy = await shop.checkpoints.copy(shop.workspace, [], shop.signal);
    await copy.changes(shop.signal);
    await copy.remove();
    expect(openIn(shop)).toEqual([]);
  },
);
