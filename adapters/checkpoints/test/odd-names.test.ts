import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { reversed, Workshop } from "./workshop.ts";

/** Names that are no text: a file, a folder, a link, and two files that read the same. */
const furnish = [
  "mkdir -p $'d\\xff/sub' $'gone\\xfe'",
  "echo one > $'d\\xff/sub/f'; echo two > $'a\\xff'; echo three > $'a\\xfe'; echo four > $'gone\\xfe/x'",
  "ln -s $'a\\xff' $'l\\xed\\xb3\\xbf'; echo plain > plain",
];
const change = [
  "echo ONE > $'d\\xff/sub/f'; rm $'a\\xff'; chmod +x $'a\\xfe'; rm -r $'gone\\xfe'; rm $'l\\xed\\xb3\\xbf'",
  "mkdir $'new\\xc3'; echo new > $'new\\xc3/\\x80'",
];

function bash(shop: Workshop, script: readonly string[]): string {
  return execFileSync("bash", ["-c", script.join(";")], { cwd: shop.root, encoding: "latin1" });
}

/** Every file and link with its bytes, as the shell sees them. */
function state(shop: Workshop): string {
  return bash(shop, [
    "find . -type f -printf '%p %m ' -exec cat {} \\; | sort",
    "find . -type l -printf '%p %l\\n' | sort",
  ]);
}

function list(folder: string): string {
  return execFileSync("find", [folder, "-printf", "%P\\n"], { encoding: "latin1" });
}

test("a name that is no text is kept, reported, brought back and taken away again like any other, also by the next process", async () => {
  const shop = new Workshop();
  bash(shop, furnish);
  const before = state(shop);
  const checkpoint = await shop.keep();
  expect(checkpoint.left).toEqual([]);
  bash(shop, change);
  const after = state(shop);
  for (let round = 0; round < 2; round += 1) {
    shop.reopen();
    const effects = await shop.since(checkpoint);
    expect(effects).toHaveLength(6);
    const done = effects.map(() => "done");
    expect(await shop.applyUnseen(reversed(effects))).toEqual(done);
    expect(state(shop)).toBe(before);
    expect(await shop.since(checkpoint)).toEqual([]);
    expect(await shop.applyUnseen(JSON.parse(JSON.stringify(effects)))).toEqual(done);
    expect(state(shop)).toBe(after);
  }
  expect(shop.git("fsck", "--no-dangling")).toBe("");
});

test("rules that ignore such names hold, and a path that names no file is refused", async () => {
  const shop = new Workshop();
  bash(shop, [...furnish, "printf 'a\\xff\\n' > .gitignore"]);
  const checkpoint = await shop.keep();
  bash(shop, ["rm $'a\\xff' $'a\\xfe'"]);
  const paths = (await shop.since(checkpoint)).map(({ path }) => path);
  expect(paths).toEqual([shop.path("a\uDCFE")]);
  const { left } = await shop.keep(["half\uD83D", "text\uDCC3\uDCBC"]);
  expect(left.map((line) => line.split(": ")[1])).toEqual([
    "is not a plain absolute path",
    "is not a plain absolute path",
  ]);
});

test("a private copy has such files, too", async () => {
  const shop = new Workshop();
  bash(shop, furnish);
  const copy = await shop.checkpoints.copy(shop.workspace, [], shop.signal);
  expect(list(copy.workspace.cwd)).toBe(list(shop.root));
  execFileSync("bash", ["-c", "rm $'a\\xff'"], { cwd: copy.workspace.cwd });
  expect((await copy.changes(shop.signal)).effects.map(({ path }) => path)).toEqual([shop.path("a\uDCFF")]);
  await copy.remove();
});
