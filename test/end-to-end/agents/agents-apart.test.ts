/** Agents with a working tree of their own: what they change comes back as a branch. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSlowTier, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { type OutputObject, parseLines, parseResult } from "../stage/read-output.ts";
import { answeringModel, type Asked, type Said } from "./answering-model.ts";

const place = usePlace();
const flags = ["run", "-m", "anthropic/rehearsal", "--output-format", "json", "--trust", "--yolo"];

function git(...args: readonly string[]): string {
  const own = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...own, ...args], { cwd: place.workspace, encoding: "utf8" });
}

function repository(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) place.write(path, content);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

function apart(...prompts: readonly string[]): Said {
  return {
    calls: prompts.map((prompt) => ({
      name: "spawn_agent",
      arguments: { agent: "implement", prompt, isolation: "worktree" },
    })),
  };
}

const write = (path: string, content: string): Said => ({
  calls: [{ name: "write_file", arguments: { path, content, overwrite: true } }],
});
const read = (path: string): Said => ({ calls: [{ name: "read_file", arguments: { path } }] });

/** The working trees there are beside the data directory. */
function trees(): readonly string[] {
  const folder = `${place.data}-worktrees`;
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith(".json")) : [];
}

function branches(): readonly string[] {
  return git("branch", "--list", "--format=%(refname:short)", "capstan/*")
    .split("\n")
    .filter((name) => name !== "");
}

function results({ results: all }: Asked): string {
  return all.join("\n").replaceAll("\\n", "\n");
}

test("several at once come back as a branch each, the caller's files are as they were, and conflicts are named", async () => {
  repository({ "shared.txt": "base\n", "src/kept.txt": "kept\n" });
  place.write("own.txt", "not committed\n");
  // Eight may work at once; four change the same line, what is not committed, and nothing of either.
  const count = isSlowTier ? 8 : 4;
  const prompts = Array.from({ length: count }, (_, at) => `Make part-${at}.`);
  const model = await answeringModel((asked) => {
    const part = /part-(\d)/.exec(asked.first)?.[1];
    if (part === undefined) return asked.spoken === 0 ? apart(...prompts) : { text: "All are there." };
    if (asked.spoken === 0) return read("shared.txt");
    // Two of them change the same line, and one writes what the user has not committed.
    if (asked.spoken === 1 && Number(part) < 2) return write("shared.txt", `of ${part}\n`);
    if (asked.spoken === 1 && part === "2") return write("own.txt", "mine\n");
    return asked.spoken <= 2 && !asked.text.includes(`part-${part}.txt`)
      ? write(`src/part-${part}.txt`, `${part}\n`)
      : { text: `Made ${part}.` };
  });
  const run = await place.run([...flags, "Make all."], { env: model.env });
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "All are there." });
  const own = model.asked.filter(({ first }) => first.includes("Make all."));
  const said = results(own.at(-1) ?? { first: "", text: "", results: [], spoken: 0 });
  expect([branches().length, trees().length]).toEqual([count, count]);
  expect(said.match(/Changes: \d files? on the branch capstan\/\w{12}/g)).toHaveLength(count);
  expect(said).toMatch(/Conflicts with the branch capstan\/\w+: shared\.txt/);
  expect(said).toContain("Conflicts with what is not committed in the repository: own.txt");
  expect(said.match(/No conflicts\./g)?.length).toBeGreaterThanOrEqual(count - 3);
  // Nothing of it is in the user's files until they take it over.
  expect([place.read("shared.txt"), place.read("own.txt"), place.has("src/part-1.txt")]).toEqual([
    "base\n",
    "not committed\n",
    false,
  ]);
  const added = branches().filter((branch) => git("diff", "--name-only", `main...${branch}`) === "src/part-3.txt\n");
  expect(added).toHaveLength(1);
  git("merge", "-q", "--no-edit", added[0] ?? "");
  expect(place.read("src/part-3.txt")).toBe("3\n");
  // What they did is nothing that the caller's turn could take back.
  expect(parseResult(run)).toMatchObject({ modelCalls: model.asked.length });
});

slowTest(
  "one that changes nothing leaves nothing, also the second time, and one of a definition works apart unasked",
  async () => {
    repository({ "a.txt": "a\n" });
    const folder = join(place.folder, "home", ".claude", "agents");
    mkdirSync(folder, { recursive: true });
    const front = "name: maker\ndescription: makes\nisolation: worktree";
    writeFileSync(join(folder, "maker.md"), `---\n${front}\n---\nYou make.\n`);
    const model = await answeringModel((asked) => {
      if (asked.first.includes("Look.")) return asked.spoken === 0 ? read("a.txt") : { text: "It says a." };
      if (asked.first.includes("Make b.")) return asked.spoken === 0 ? write("b.txt", "b\n") : { text: "Made." };
      if (asked.text.includes("Use the maker") && !asked.text.includes("Made."))
        return { calls: [{ name: "maker_agent", arguments: { task: "Make b." } }] };
      return asked.spoken % 2 === 0 && !asked.text.includes("Use the maker") ? apart("Look.") : { text: "Done." };
    });
    for (const words of [["Look at it."], ["-c", "Look again."]]) {
      expect(parseResult(await place.run([...flags, ...words], { env: model.env }))).toMatchObject({ outcome: "done" });
      expect([branches(), trees()]).toEqual([[], []]);
    }
    const agents: readonly OutputObject[] = parseLines(await place.run(["sessions", "list", "--agents", "--json"]));
    expect(agents.filter(({ spawnedBy }) => spawnedBy !== undefined)).toHaveLength(2);
    const made = await place.run([...flags, "-c", "Use the maker."], { env: model.env });
    expect(parseResult(made)).toMatchObject({ outcome: "done" });
    expect([branches().length, place.has("b.txt")]).toEqual([1, false]);
  },
);

test("killed with -9 in its working tree it continues there, and its branch comes once", async () => {
  repository({ "a.txt": "a\n" });
  let isBack = false;
  const never = new Promise<Said>(() => undefined);
  const model = await answeringModel((asked) => {
    if (asked.first.includes("Make b.")) {
      if (asked.spoken === 0) return write("b.txt", "b\n");
      return isBack ? { text: "Made." } : never;
    }
    return asked.spoken === 0 ? apart("Make b.") : { text: "Done." };
  });
  const running = place.start([...flags, "Make it."], { env: model.env });
  await expect.poll(() => model.asked.length, { timeout: 60_000 }).toBe(3);
  running.kill("SIGKILL");
  await running.ended;
  isBack = true;
  expect(parseResult(await place.run([...flags, "-c", "Continue."], { env: model.env }))).toMatchObject({
    outcome: "done",
  });
  const [branch = ""] = branches();
  expect(git("diff", "--name-only", `main...${branch}`)).toBe("b.txt\n");
  expect(git("log", "--format=%an", `main..${branch}`)).toBe("Capstan agent\n");
  expect(model.asked.at(-1)?.text.match(/Changes: 1 file/g)).toHaveLength(1);
});

test("where there is no repository, or no trust, the call says what is missing", async () => {
  const model = await answeringModel((asked) => (asked.spoken === 0 ? apart("Make b.") : { text: "A pity." }));
  const run = async (more: readonly string[]): Promise<string> => {
    await place.run([...flags.filter((flag) => !more.includes(`no ${flag}`)), "Make it."], { env: model.env });
    return results(model.asked.at(-1) ?? { first: "", text: "", results: [], spoken: 0 });
  };
  expect(await run([])).toContain("A working tree of its own needs a git repository with a commit");
  repository({ "a.txt": "a\n" });
  expect(await run(["no --trust"])).toContain("needs a folder that the user trusts (capstan trust add)");
  expect([branches(), trees()]).toEqual([[], []]);
});
