import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const secret = "the-secret-of-the-user";

/** Folders that a command of the same user could open again: not to be listed, not to be entered, or neither. */
const rights = [0o000, 0o444, 0o111, 0o400];

function furnish(): Place {
  const place = makePlace();
  for (const mode of rights) {
    const folder = join(place.workspace, `locked-${mode.toString(8)}`);
    mkdirSync(join(folder, "sub"), { recursive: true });
    for (const name of [".env", "sub/.env", "AGENTS.md"]) writeFileSync(join(folder, name), secret);
    chmodSync(folder, mode);
  }
  writeFileSync(join(place.workspace, "plain"), "plain\n");
  return place;
}

/** Nothing is shut for root. */
const ordinary = users.slice(-1);

const unlock =
  "chmod -R u+rwX locked-* 2>/dev/null; cat locked-*/.e* locked-*/sub/.e*; echo evil >> locked-0/AGENTS.md";
const look = "cat plain; echo ran";

describe.skipIf(!hasBubblewrap)("a folder that its user may not look into (needs bubblewrap)", () => {
  test.each(ordinary)(
    "stays shut for commands, which run beside it as ever, the second time too: $name",
    async (user) => {
      const place = furnish();
      const ended = await user.runTogether(place, [look, unlock, unlock, look]);
      expect(ended.map(({ output }) => output).join("")).not.toContain(secret);
      expect([ended[0]?.output, ended[3]?.output]).toEqual(["plain\nran\n", "plain\nran\n"]);
      expect(user.runBare(place, "chmod -R u+rwX .; cat locked-0/AGENTS.md")).toBe(secret);
    },
  );

  test.each(ordinary)("hides nothing that was protected before a command locked it in: $name", async (user) => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "sub"));
    mkdirSync(join(place.workspace, "node_modules"));
    writeFileSync(join(place.workspace, "sub", ".env"), secret);
    const ended = await user.run(place, [
      "echo first",
      "mkdir node_modules/x && mv sub node_modules/x/ && chmod 000 node_modules/x",
      "chmod 755 node_modules/x; cat node_modules/x/sub/.e*",
      "cat node_modules/x/sub/.e*",
    ]);
    expect(ended.map(({ output }) => output).join("")).not.toContain(secret);
  });
});

/** Of a repository with a submodule and a second working tree; "" is its `.git` itself. */
const gitFolders = [
  "",
  "hooks",
  "info",
  "logs",
  "modules",
  "modules/lib",
  "objects",
  "refs/heads",
  "worktrees",
  "worktrees/w",
];

function makeRepository(folder: string): void {
  for (const path of [...gitFolders, "modules/lib/objects", "modules/lib/refs"])
    mkdirSync(join(folder, ".git", path), { recursive: true });
  for (const path of ["", "modules/lib", "worktrees/w"]) {
    writeFileSync(join(folder, ".git", path, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(folder, ".git", path, "config"), "[core]\n\thooksPath = ../locked/hooks\n");
  }
}

describe.skipIf(!hasBubblewrap)("a folder inside of `.git` that its user may not look into (needs bubblewrap)", () => {
  test.each(ordinary)("stops no command, and no command opens it, the second time too: $name", async (user) => {
    const place = makePlace();
    const shut: string[] = [];
    for (const mode of rights) {
      for (const path of gitFolders) {
        const repository = join(place.workspace, `${mode.toString(8)}-${path.replace("/", "-")}`);
        makeRepository(repository);
        shut.push(join(repository, ".git", path));
        chmodSync(join(repository, ".git", path), mode);
      }
    }
    mkdirSync(join(place.workspace, "locked", "hooks"), { recursive: true });
    chmodSync(join(place.workspace, "locked"), 0o000);
    writeFileSync(join(place.workspace, "plain"), "plain\n");
    const hooks = "$at/.git/hooks $at/.git/modules/lib/hooks";
    const plant = `for at in *-*; do for to in ${hooks}; do mkdir -p $to; echo evil > $to/pre-commit; done; done`;
    const open = `chmod -R u+rwX */.git locked 2>/dev/null; { ${plant}; } 2>/dev/null; echo tried`;
    const ended = await user.runTogether(place, [look, open, open, look]);
    expect(ended.map(({ output }) => output.replace(/^capstan: .*\n/gm, ""))).toEqual([
      "plain\nran\n",
      "tried\n",
      "tried\n",
      "plain\nran\n",
    ]);
    expect(user.runBare(place, "chmod -R u+rwX .; find . -name pre-commit")).toBe("");
    expect(shut).toHaveLength(rights.length * gitFolders.length);
  });
});
