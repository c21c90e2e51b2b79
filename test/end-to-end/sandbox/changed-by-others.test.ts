/** What others change while a command runs is not the command's: it is neither shown as its doing nor taken back with it. */
import { slowTest } from "@capstan/testkit";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@capstan/protocol";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { linesOf } from "../stage/read-output.ts";
import { furnish } from "./sandbox-place.ts";

const place = usePlace();

/** Says that it runs, and continues when somebody else is done. */
const meanwhile = "echo it has begun; until [ -e dist/gate ]; do sleep 0.02; done";

/** As editors save: under another name first. */
function save(name: string, text: string): void {
  const path = join(place.workspace, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** A turn whose command runs while the user saves files. @returns paths of its changes, and all that was printed */
async function turn(
  mode: PermissionMode,
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly changed: readonly unknown[]; readonly printed: string }> {
  const call = { name: "run_command", arguments: { command: `${meanwhile}; ${script}` } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [call] }, { text: "done" }]);
  const words = ["--permission-mode", mode, "--output-format", "stream-json", "--session-id", `of-${mode}`, "go"];
  const running = stage.start(words);
  await running.stdoutMatches(/it has begun/);
  for (const [name, text] of Object.entries(files)) save(name, text);
  mkdirSync(join(place.workspace, "dist/gate"));
  const ended = await running.ended;
  const filesChanged = linesOf(ended, "result")[0]?.["filesChanged"];
  const changed = Array.isArray(filesChanged) ? filesChanged.map((each) => Reflect.get(Object(each), "path")) : [];
  return { changed, printed: JSON.stringify(stage.exchanges) + ended.stdout + ended.stderr };
}

function lay(): void {
  furnish(place);
  place.write(".gitignore", "dist/\n");
  place.write("dist/kept.js", "");
  place.write("AGENTS.md", "old words\n");
  place.write("sub/AGENTS.md", "words below\n");
}

test("a protected or governing file that its user saves meanwhile is not the command's, and undo leaves it", async () => {
  lay();
  const saved = { ".env": "KEY=another-secret\n", "AGENTS.md": "new words\n" };
  const { changed, printed } = await turn("accept-edits", "echo made > made.txt; mv sub moved", saved);
  expect(changed).toEqual(["made.txt", "moved/AGENTS.md", "sub/AGENTS.md"]);
  expect(printed).not.toMatch(/very-secret|another-secret/);
  const exported = await place.run(["sessions", "export", "of-accept-edits", "--exact"]);
  expect(exported.stdout).not.toMatch(/very-secret|another-secret/);
  expect((await place.run(["sessions", "undo", "of-accept-edits"])).code).toBe(0);
  expect([place.read(".env"), place.read("AGENTS.md")]).toEqual([saved[".env"], saved["AGENTS.md"]]);
  // What the command could change, by the folder above it, comes back.
  expect([place.has("made.txt"), place.has("moved"), place.read("sub/AGENTS.md")]).toEqual([
    false,
    false,
    "words below\n",
  ]);
});

slowTest("where commands change build folders alone, nothing else is theirs", async () => {
  lay();
  const { changed } = await turn("default", "echo made > dist/made.js; echo no > no.txt", { "mine.txt": "mine\n" });
  expect(changed).toEqual([]);
  expect((await place.run(["sessions", "undo", "of-default"])).code).toBeLessThan(2);
  expect(place.read("mine.txt")).toBe("mine\n");
});
