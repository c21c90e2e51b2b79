import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { otherNamesOf } from "../../src/protect/other-names.ts";
import { makePlace, type Place, runInside } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** Protected and governing files, each with a second name that says nothing of it. */
function furnish({ workspace }: Place): void {
  for (const folder of [".git/hooks", ".vscode", "secret/.ssh", "node_modules/a", "sub"])
    mkdirSync(join(workspace, folder), { recursive: true });
  const names = [
    [".env", "notes.txt"],
    ["secret/.ssh/id", "sub/id.txt"],
    ["sub/key.pem", "node_modules/a/key.js"],
    ["secret/.ssh/other", ".vscode/tasks.json"],
    ["AGENTS.md", "sub/plan.txt"],
    [".git/hooks/pre-commit", "sub/hook.txt"],
  ] as const;
  for (const [name, other] of names) {
    writeFileSync(join(workspace, name), "canary\n");
    linkSync(join(workspace, name), join(workspace, other));
  }
  writeFileSync(join(workspace, "plain"), "plain\n");
  linkSync(join(workspace, "plain"), join(workspace, "plain-too"));
}

const secret = ["notes.txt", ".vscode/tasks.json", "sub/id.txt", "node_modules/a/key.js"];
const governing = ["sub/plan.txt", "sub/hook.txt"];

describe.skipIf(!hasBubblewrap)("a hard link (needs bubblewrap)", () => {
  test.each(["read", "write"] as const)("to a protected file cannot be read, workspace to %s", async (workspace) => {
    const place = makePlace();
    furnish(place);
    const { output } = await runInside(place, `cat ${secret.join(" ")}; cat plain-too`, { confinement: { workspace } });
    expect([output.includes("canary"), output.includes("plain\n")]).toEqual([false, true]);
  });

  test("to what governs agents, editors or git cannot be written to", async () => {
    const place = makePlace();
    furnish(place);
    const attack = governing.map((name) => `echo evil >> ${name}; cp /dev/null ${name}`).join("; ");
    await runInside(place, `${attack}; echo more >> plain-too`);
    const texts = ["AGENTS.md", ".git/hooks/pre-commit", "plain"].map((name) =>
      readFileSync(join(place.workspace, name), "utf8"),
    );
    expect(texts).toEqual(["canary\n", "canary\n", "plain\nmore\n"]);
  });

  test("without its cover is the same file", async () => {
    const place = makePlace();
    furnish(place);
    const names = [...secret, ...governing].map((name) => readFileSync(join(place.workspace, name), "utf8"));
    expect(new Set(names)).toEqual(new Set(["canary\n"]));
  });
});

test("other names are looked for only where a covered file has some, and the stricter cover holds", async () => {
  const place = makePlace();
  furnish(place);
  const at = (name: string): string => join(place.workspace, name);
  const closed = { type: "closed", path: at(".env"), source: "/closed" } as const;
  const readOnly = { type: "read-only", path: at(".env") } as const;
  const found = await otherNamesOf([readOnly, closed], [place.workspace]);
  expect(found).toEqual({ names: [{ path: at("notes.txt"), of: closed }], isPartial: false });
  const both = [closed, { ...closed, path: at("notes.txt") }];
  expect(await otherNamesOf(both, [place.workspace])).toEqual({ names: [], isPartial: false });
  expect(await otherNamesOf([closed], ["/nowhere"])).toEqual({ names: [], isPartial: false });
});
