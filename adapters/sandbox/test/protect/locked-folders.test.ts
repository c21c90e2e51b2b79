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
