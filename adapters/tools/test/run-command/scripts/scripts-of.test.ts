import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Action } from "@capstan/protocol";
import { expect, test } from "vitest";
import { createRunCommandTool } from "../../../src/run-command/run-command.ts";
import { type WorkspaceFixture, workspaceFixture } from "../../workspace-fixture.ts";

async function prepared(place: WorkspaceFixture, script: string, cwd = "."): Promise<Action> {
  const tool = createRunCommandTool(place.options, place.paths);
  return await place.prepare(tool, { command: script, cwd });
}

/** Names of the files bound to a command, relative to the workspace; `?` where the content could not be read. */
async function bound(place: WorkspaceFixture, script: string, cwd = "."): Promise<string> {
  const { command } = await prepared(place, script, cwd);
  const scripts = command?.scripts ?? [];
  return scripts
    .map(({ path, sha256 }) => (relative(place.workspace.cwd, path) || ".") + (sha256 === "unread" ? "?" : ""))
    .join(" ");
}

function project(): WorkspaceFixture {
  const place = workspaceFixture();
  const files =
    "build.sh x.py x.js lib.js data.csv Makefile package.json pkg/mod.py pkg/__main__.py sub/run.sh sub/package.json sub/deep/a.txt dir/index.js prog.awk";
  for (const file of files.split(" ")) place.write(file, `content of ${file}\n`);
  return place;
}

test("the files a command runs are bound to it, and those it only reads are not", async () => {
  const place = project();
  const cases: readonly (readonly [string, string])[] = [
    ["./build.sh --all", "build.sh"],
    ["sh build.sh x.py", "build.sh"],
    ["bash -eu ./build.sh", "build.sh"],
    ["bash -o pipefail build.sh", "build.sh"],
    [". ./build.sh", "build.sh"],
    ["source build.sh a", "build.sh"],
    ["python3 x.py data.csv", "x.py"],
    ["python -W ignore -u x.py data.csv", "x.py"],
    ["python -m pkg.mod", "pkg/mod.py"],
    ["python -m pkg", "pkg/__main__.py"],
    ["python3 -c 'import x' x.py", ""],
    ["node x.js data.csv", "x.js"],
    ["node x data.csv", "x.js"],
    ["node -r ./lib.js --enable-source-maps x.js", "lib.js x.js"],
    ["node --import=./lib.js x.js", "lib.js x.js"],
    ["node dir", "dir?"],
    ["awk -f prog.awk data.csv", "prog.awk"],
    ["awk '{ print }' data.csv", ""],
    ["npm run build", "package.json"],
    ["npm test && make all", "Makefile package.json"],
    ["make -C sub", "Makefile"],
    ["npm --prefix sub test", "package.json sub/package.json"],
    ["cat build.sh && ls x.py", ""],
    ["git status", ""],
    ["/usr/bin/python3 x.py", "x.py"],
    ["sudo ./build.sh", "build.sh"],
    ["timeout 9 sh -c './build.sh'", "build.sh"],
    ["cd sub && ./run.sh", "sub/run.sh"],
    ["cd sub; npm test", "package.json sub/package.json"],
    ["sh ../outside.sh", "../outside.sh?"],
    ["./missing.sh", ""],
  ];
  for (const [script, expected] of cases) expect([script, await bound(place, script)]).toEqual([script, expected]);
});

test("a tool finds its file in the folders above, and so does what is bound", async () => {
  const place = project();
  expect(await bound(place, "npm test", "sub/deep")).toBe("package.json sub/package.json");
  expect(await bound(place, "make", "sub/deep")).toBe("Makefile");
});

test("the content is the file's, and one changed byte makes another action", async () => {
  const place = project();
  const before = await prepared(place, "./build.sh");
  const sha256 = createHash("sha256").update("content of build.sh\n").digest("hex");
  expect(before.command?.scripts).toEqual([{ path: join(place.workspace.cwd, "build.sh"), sha256 }]);
  place.write("build.sh", "content of build.sX\n");
  const after = await prepared(place, "./build.sh");
  expect(after.digest === before.digest).toBe(false);
});

test("a script is bound by the file a link leads to; one outside, a folder, or one too large is unread", async () => {
  const place = project();
  const at = (name: string): string => join(place.workspace.cwd, name);
  symlinkSync("build.sh", at("link.sh"));
  writeFileSync(join(place.base, "outside.sh"), "");
  symlinkSync(join(place.base, "outside.sh"), at("away.sh"));
  mkdirSync(at("folder.sh"));
  place.write("large.sh", Buffer.alloc(4 * 1024 * 1024 + 1));
  expect(await bound(place, "sh link.sh")).toBe("build.sh");
  expect(await bound(place, "sh away.sh")).toBe("away.sh?");
  expect(await bound(place, "sh folder.sh")).toBe("folder.sh?");
  expect(await bound(place, "./large.sh")).toBe("large.sh?");
});

test("where not every command could be read, something unread is run", async () => {
  const place = project();
  expect(await bound(place, "./build.sh; $x")).toBe(".? build.sh");
  expect(await bound(place, Array.from({ length: 40 }, (_, index) => `./s${index}.sh`).join("; "))).toBe("");
});
