import { inTurn, slowTest } from "@capstan/testkit";
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { type Stage, usePlace, type WireName, wires } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";

const place = usePlace();

const json = ["--output-format", "json"];

/** Everything that can become of files. */
const upheaval = `
echo created > created.txt; echo modified >> modified.txt; rm deleted.txt; mv renamed.txt 'new name.txt'
mv folder moved; chmod +x script.sh; ln -sfn elsewhere link; ln -s modified.txt new-link
printf '\\000\\001\\377' > picture.bin; rm -r was-folder; echo file > was-folder
rm was-file; mkdir was-file; echo inside > was-file/inside.txt
echo more >> nested/inner.txt; rm nested/gone.txt; echo x > "$(printf 'odd\\nname')"; echo x > ./-rf; echo x > ' blanks '
`;

describe("every kind of change a command makes", () => {
  test.each(inTurn(["in a repository", "without a repository, and without Git"], "taken back"))(
    "is taken back and brought back, %s",
    async (where) => {
      const hasGit = where === "in a repository";
      layOut(hasGit);
      const stage = await place.rehearse("anthropic", twoTurns(run(upheaval)));
      // Programs in a temporary folder are out of the sandbox's sight, and bubblewrap is none of them.
      const options = hasGit ? {} : { env: { PATH: programsWithoutGit(), CAPSTAN_SANDBOX: "off" } };
      await stage.run([...json, "--session-id", "s", "first"], options);
      const before = tree();
      const ours = repository(hasGit);
      const result = parseResult(await stage.run([...json, "--yolo", "--resume", "s", "second"], options));
      const after = tree();
      expect(result["filesChanged"]).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ path: "created.txt", kind: "created" }),
          expect.objectContaining({ path: "modified.txt", kind: "modified" }),
          expect.objectContaining({ path: "deleted.txt", kind: "deleted" }),
          expect.objectContaining({ path: "moved/sub/b.txt", kind: "created" }),
          expect.objectContaining({ path: "script.sh", kind: "modified" }),
        ]),
      );
      expect((await place.run(["sessions", "undo", "s"], options)).code).toBe(0);
      expect(tree()).toEqual(before);
      expect(repository(hasGit)).toEqual(ours);
      expect((await place.run(["sessions", "redo", "s"], options)).code).toBe(0);
      expect(tree()).toEqual(after);
      expect(repository(hasGit)).toEqual(ours);
    },
  );
});

slowTest.each(inTurn(wires, "taken back"))("what was taken back is in no later request over %s", async (wire) => {
  const { stage } = await twoFiles(wire);
  expect((await place.run(["sessions", "rewind", "s", "--to", "1"])).code).toBe(0);
  expect([place.has("one.txt"), place.has("two.txt")]).toEqual([true, false]);
  await stage.run(["--resume", "s", "third words"]);
  const sent = JSON.stringify(stage.exchanges.at(-1)?.body);
  expect(["first words", "second words", "two.txt", "third words"].map((words) => sent.includes(words))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
});

slowTest("--code takes back the files alone, --conversation the words alone", async () => {
  const { stage } = await twoFiles("anthropic");
  expect((await place.run(["sessions", "rewind", "s", "--to", "1", "--code"])).code).toBe(0);
  expect(place.has("two.txt")).toBe(false);
  expect((await place.run(["sessions", "redo", "s"])).code).toBe(0);
  expect((await place.run(["sessions", "rewind", "s", "--to", "1", "--conversation"])).code).toBe(0);
  expect(place.has("two.txt")).toBe(true);
  await stage.run(["--resume", "s", "third words"]);
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).not.toContain("second words");
});

test("what somebody changed since is named, and left alone", async () => {
  const change = "echo theirs > a.txt; echo theirs > b.txt; rm c.txt";
  for (const name of ["a.txt", "b.txt", "c.txt"]) place.write(name, "old\n");
  const stage = await place.rehearse("anthropic", twoTurns(run(change)));
  await stage.run(["--session-id", "s", "first"]);
  await stage.run(["--yolo", "--resume", "s", "second"]);
  place.write("a.txt", "mine\n");
  place.write("c.txt", "mine\n");
  const undone = await place.run(["sessions", "undo", "s"]);
  expect(undone.code).toBe(1);
  expect(undone.lines.filter((line) => line.includes("left alone"))).toEqual([
    `  left alone ${join(place.workspace, "c.txt")}: somebody created it since`,
    `  left alone ${join(place.workspace, "a.txt")}: somebody changed it since`,
  ]);
  expect(["a.txt", "b.txt", "c.txt"].map((name) => place.read(name))).toEqual(["mine\n", "old\n", "mine\n"]);
});

slowTest("killed in the middle of an undo, and asked again: it is finished, and no more is taken back", async () => {
  const making = "mkdir f; for n in $(seq 150); do echo $n > f/$n; done";
  const stage = await place.rehearse("anthropic", [run(making), { text: "made" }, run("rm -r f"), { text: "gone" }]);
  await stage.run(["--yolo", "--session-id", "s", "first"]);
  const before = tree();
  await stage.run(["--yolo", "--resume", "s", "second"]);
  const undoing = place.start(["sessions", "undo", "s"]);
  // The first of 150 files, and nothing announces that it is there: it is looked for.
  while (!place.has("f/1")) await new Promise((resolve) => setImmediate(resolve));
  undoing.kill("SIGKILL");
  await undoing.ended;
  const again = await place.run(["sessions", "undo", "s"]);
  expect({ code: again.code, first: again.lines[0] }).toEqual({
    code: 0,
    first: "Continuing: a rewind that had not ended.",
  });
  expect(tree()).toEqual(before);
  expect((await place.run(["doctor", "s"])).code).toBe(0);
});

slowTest("a turn that was killed in the middle of a command can be taken back", async () => {
  place.write("a.txt", "old\n");
  const stage = await place.rehearse("anthropic", [
    { text: "hi" },
    run("echo new > a.txt; echo new > b.txt; echo started; sleep 600"),
    { text: "next" },
  ]);
  await stage.run(["--session-id", "s", "first"]);
  const running = stage.start(["--output-format", "stream-json", "--yolo", "--resume", "s", "second words"]);
  await running.stdoutMatches(/"delta":"started/);
  running.kill("SIGKILL");
  await running.ended;
  expect((await place.run(["sessions", "undo", "s"])).code).toBe(0);
  expect([place.read("a.txt"), place.has("b.txt")]).toEqual(["old\n", false]);
  await stage.run(["--resume", "s", "third"]);
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).not.toContain("second words");
});

slowTest("a rewind that names no turn changes nothing", async () => {
  await twoFiles("anthropic");
  const before = tree();
  for (const to of ["", " ", "x", "-1", "1.5", "0x0", "1e0"]) {
    const refused = await place.run(["sessions", "rewind", "s", `--to=${to}`]);
    expect({ to, code: refused.code }).toEqual({ to, code: 2 });
  }
  expect((await place.run(["sessions", "rewind", "s", "--code", "--both"])).code).toBe(2);
  expect((await place.run(["sessions", "rewind", "s", "--to", "9"])).code).toBe(1);
  expect(tree()).toEqual(before);
  const shown = (await place.run(["sessions", "show", "s"])).lines;
  expect(shown.filter((line) => line.startsWith("Turn "))).toEqual(["Turn 1:", "Turn 2:"]);
});

function run(command: string): object {
  return { tool_calls: [{ name: "run_command", arguments: { command } }] };
}

function twoTurns(second: object): readonly object[] {
  return [{ text: "hello" }, second, { text: "done" }];
}

function write(path: string): object {
  return { tool_calls: [{ name: "write_file", arguments: { path, content: "x\n" } }] };
}

/** Two turns that made a file each. */
async function twoFiles(wire: WireName): Promise<{ readonly stage: Stage }> {
  const stage = await place.rehearse(wire, [
    write("one.txt"),
    { text: "made one" },
    write("two.txt"),
    { text: "made the other" },
    { text: "here" },
  ]);
  await stage.run(["--yolo", "--session-id", "s", "first words"]);
  await stage.run(["--yolo", "--resume", "s", "second words"]);
  return { stage };
}

function layOut(hasGit: boolean): void {
  for (const name of ["modified.txt", "deleted.txt", "renamed.txt", "was-file", "was-folder/x", "script.sh"])
    place.write(name, `${name}\n`);
  for (const name of ["folder/a.txt", "folder/sub/b.txt", "nested/inner.txt", "nested/gone.txt"])
    place.write(name, `${name}\n`);
  chmodSync(join(place.workspace, "folder/a.txt"), 0o755);
  symlinkSync("modified.txt", join(place.workspace, "link"));
  if (!hasGit) return;
  git("init", "-q");
  git("init", "-q", "nested");
  git("add", "modified.txt", "deleted.txt");
  git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "base");
  place.write("deleted.txt", "staged\n");
  git("add", "deleted.txt");
}

function git(...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.folder };
  return execFileSync("git", args, { cwd: place.workspace, env, encoding: "utf8" });
}

/** Index, references and hooks; content of the working tree is nobody's business here. */
function repository(hasGit: boolean): readonly string[] {
  if (!hasGit) return [];
  const files = [".git", "nested/.git"].map((folder) => contentsOf(join(place.workspace, folder)));
  return [git("ls-files", "-s"), git("for-each-ref"), ...files.map((found) => JSON.stringify(found))];
}

/** Every file of the workspace but the repositories' own, with its content. */
function tree(): Readonly<Record<string, string>> {
  return contentsOf(place.workspace);
}

function contentsOf(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const stats = lstatSync(path);
    if (stats.isDirectory()) {
      for (const name of readdirSync(path)) if (name !== ".git") visit(join(path, name));
      return;
    }
    const content = stats.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "latin1");
    found[relative(folder, path)] = `${(stats.mode & 0o170100).toString(8)} ${content}`;
  };
  visit(folder);
  return found;
}

/** A folder with what the command needs, and no Git. */
function programsWithoutGit(): string {
  const folder = join(place.folder, "programs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of ["sh", "bash", "rm", "mv", "ln", "chmod", "mkdir"]) {
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  }
  return folder;
}
