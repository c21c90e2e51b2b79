import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { beforeEach, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { callCommand, furnish } from "./sandbox-place.ts";

const place = usePlace();
beforeEach(() => furnish(place));

test("what a command makes and agents would obey is moved away with a line that brings it back, twice", async () => {
  const path = join(place.workspace, "AGENTS.md");
  for (const words of ["one", "two"]) {
    const { text, details } = await callCommand(place, { command: `echo ${words} > AGENTS.md; echo x > made` });
    const [, id = ""] = /capstan quarantine restore ([0-9a-f]{8})/.exec(text) ?? [];
    expect([existsSync(path), text.includes("Moved to quarantine")]).toEqual([false, true]);
    expect(details["quarantined"]).toEqual([`AGENTS.md (to get it back: capstan quarantine restore ${id})`]);
    expect((await place.run(["quarantine", "list"])).stdout).toContain(`${id}  `);
    const listed = await place.run(["quarantine", "list", "--json"]);
    expect(JSON.parse(listed.lines.at(-1) ?? "")).toMatchObject({ id, path, kind: "file" });
    expect((await place.run(["quarantine", "restore", id])).stdout).toBe(`Restored: ${path}\n`);
    expect(readFileSync(path, "utf8")).toBe(`${words}\n`);
    expect((await place.run(["quarantine", "list"])).stdout).toBe("Nothing is in quarantine.\n");
    // What is there stays, and is only read.
    const again = await callCommand(place, { command: "echo evil > AGENTS.md" });
    expect([again.details["quarantined"], readFileSync(path, "utf8")]).toEqual([undefined, `${words}\n`]);
    rmSync(path);
  }
});

slowTest("what is dropped is gone, and an id that nothing has is an error", async () => {
  const { text } = await callCommand(place, { command: "mkdir .claude; echo x > .claude/settings.json" });
  const [, id = ""] = /capstan quarantine restore ([0-9a-f]{8})/.exec(text) ?? [];
  const dropped = await place.run(["quarantine", "drop", id, "--json"]);
  expect(JSON.parse(dropped.lines[0] ?? "")).toMatchObject({ id, kind: "folder" });
  const again = await place.run(["quarantine", "restore", id]);
  expect([again.code, again.stderr.includes(id), existsSync(join(place.workspace, ".claude"))]).toEqual([
    2,
    true,
    false,
  ]);
});
