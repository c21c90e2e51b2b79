/** `docs/extend.md` is a script: it is followed word for word, in an empty home. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { lastUserText, resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs", "extend.md"), "utf8");

/** What is typed, and what is said to be shown then. */
const blocks = [...page.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)].map(([, kind = "", text = ""]) => ({
  kind,
  text,
}));

const call = (name: string, args: object) => ({ tool_calls: [{ name, arguments: args }] });
const done = { text: "done" };
const turns = [
  call("mcp__everything__echo", { message: "ahoy" }),
  done,
  call("skill", { name: "release" }),
  call("write_file", { path: "VERSION", content: "1.2\n" }),
  done,
  call("read_file", { path: "VERSION" }),
  call("write_file", { path: "VERSION", content: "9.9\n", overwrite: true }),
  done,
  call("run_command", { command: "ls" }),
  { text: "the notes" },
];

test("the page about servers, skills, hooks and commands is followed word for word in an empty home, and shows what it says", async () => {
  const stage = await place.rehearse("anthropic", turns);
  const home = join(place.folder, "empty");
  const bin = join(place.folder, "bin");
  for (const folder of [home, bin]) mkdirSync(folder);
  // `bin/capstan` is there after `npm run build` only: the test runs what was bundled for the tests.
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${inject("capstanEntry")}' "$@"\n`;
  writeFileSync(join(bin, "capstan"), launcher, { mode: 0o755 });
  const path = [bin, join(root, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
  // The server was installed with this repository and not for the machine: who runs the machine makes it readable.
  const managed = join(place.folder, "managed.toml");
  writeFileSync(managed, `[sandbox]\nreadable = [${JSON.stringify(join(root, "node_modules"))}]\n`);
  const env = { ...stage.env, HOME: home, PATH: path, CAPSTAN_MANAGED_CONFIG: managed };
  const shell = async (script: string): Promise<string> => {
    const run = promisify(execFile)("bash", ["--norc", "-ec", script], { cwd: place.workspace, env });
    run.child.stdin?.end();
    const { stdout, stderr } = await run;
    return stdout + stderr;
  };
  let shown = "";
  const missing: string[] = [];
  for (const { kind, text } of blocks) {
    if (kind === "sh") shown = await shell(text);
    else missing.push(...text.split("\n").filter((line) => !shown.includes(line)));
  }
  expect(missing).toEqual([]);
  expect(blocks.filter(({ kind }) => kind === "sh")).toHaveLength(8);
  const results = stage.exchanges.flatMap((exchange) => resultsOf(exchange).map(({ text }) => text)).join("\n");
  for (const words of ["Echo: ahoy", "Write the version into VERSION.", "written by releases only"])
    expect(results).toContain(words);
  expect(lastUserText(stage.exchanges[8])).toContain("1. ls");
  expect([place.read("VERSION"), stage.unused()]).toEqual(["1.2\n", 0]);
});
