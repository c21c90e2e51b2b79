import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

function skillText(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

/** In the user's own folder. */
function writeOwn(path: string, text: string): void {
  const file = join(place.folder, "home", ".claude", "skills", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function skill(args: object): object {
  return { name: "skill", arguments: args };
}

function touch(file: string): object {
  return { name: "run_command", arguments: { command: `touch ${file}` } };
}

overWires("over %s", (wire, test, slowTest) => {
  test("a skill's name is in the request, its text comes on demand, and its files come one by one", async () => {
    writeOwn("release/SKILL.md", skillText("release", "How to make a release", "First run the checks. See steps.md."));
    writeOwn("release/steps.md", "Tag it last.");
    writeOwn("secret.txt", "not of the skill");
    symlinkSync(
      join(place.folder, "home", ".claude", "skills", "secret.txt"),
      join(place.folder, "home", ".claude", "skills", "release", "link.txt"),
    );
    const stage = await place.rehearse(wire, [
      { tool_calls: [skill({ name: "release" }), skill({ name: "release", file: "steps.md" })] },
      {
        tool_calls: [
          skill({ name: "release", file: "link.txt" }),
          skill({ name: "release", file: "../secret.txt" }),
          skill({ name: "relase" }),
        ],
      },
      { text: "Done." },
      { text: "Again." },
    ]);
    expect((await stage.run(["Make a release."])).code).toBe(0);
    const first = JSON.stringify(stage.exchanges[0]?.body);
    expect([first.includes("release: How to make a release"), first.includes("First run the checks")]).toEqual([
      true,
      false,
    ]);
    const [whole, file] = resultsOf(stage.exchanges[1]);
    expect(whole?.text).toMatch(/First run the checks[^]*- steps\.md/);
    expect(file?.text).toBe("Tag it last.");
    const refused = resultsOf(stage.exchanges[2]).map(({ text }) => text);
    expect(refused).toEqual([
      expect.stringContaining('has no file "link.txt"'),
      expect.stringContaining('has no file "../secret.txt"'),
      expect.stringContaining('There is no skill "relase". There are: release'),
    ]);
    expect(refused.join("")).not.toContain("not of the skill");
    // The list is said once: a request of the next turn repeats nothing.
    await stage.run(["-c", "Again."]);
    expect(JSON.stringify(stage.exchanges[3]?.body).split("How to make a release")).toHaveLength(2);
  });

  slowTest("a workspace's skills count once it is trusted, and no more when their files change", async () => {
    place.write(".claude/skills/deploy/SKILL.md", skillText("deploy", "How to deploy", "Push to staging."));
    place.write(".agents/skills/deploy/SKILL.md", skillText("other", "Another one", "Other."));
    const stage = await place.rehearse(wire, [
      { text: "One." },
      { tool_calls: [{ name: "skill", arguments: { name: "deploy" } }] },
      { text: "Two." },
      { text: "Three." },
    ]);
    const isOffered = (index: number): boolean =>
      JSON.stringify(stage.exchanges[index]?.body).includes("How to deploy");
    await stage.run(["Deploy."]);
    expect(isOffered(0)).toBe(false);
    const none = await place.run(["skills"]);
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("capstan trust add")]);
    await place.trust();
    const listed = parseLines(await place.run(["skills", "list", "--json"]));
    expect(listed.map(({ name, from }) => [name, from])).toEqual([
      ["deploy", "workspace"],
      ["other", "workspace"],
    ]);
    expect((await place.run(["skills", "show", "deploy"])).stdout).toContain("Push to staging.");
    await stage.run(["Deploy."]);
    expect([isOffered(1), resultsOf(stage.exchanges[2])[0]?.text]).toEqual([
      true,
      expect.stringContaining("Push to staging."),
    ]);
    place.write(".claude/skills/deploy/SKILL.md", skillText("deploy", "How to deploy", "Push to production."));
    await stage.run(["Deploy."]);
    expect(isOffered(3)).toBe(false);
  });

  test("the tools that a skill names bind the rest of the turn that read it, whatever is allowed, and no later one", async () => {
    const text = "---\nname: look\ndescription: How to look\nallowed-tools: Read, Bash(touch a.txt)\n---\nLook only.\n";
    writeOwn("look/SKILL.md", text);
    place.write("a.txt", "words\n");
    const write = { name: "write_file", arguments: { path: "b.txt", content: "b\n" } };
    const read = { name: "read_file", arguments: { path: "a.txt" } };
    const stage = await place.rehearse(wire, [
      { tool_calls: [skill({ name: "look" })] },
      { tool_calls: [write, touch("c.txt"), touch("a.txt"), read] },
      { text: "Looked." },
      { tool_calls: [write] },
      { text: "Written." },
    ]);
    const all = ["--permission-mode", "auto", "--yolo"];
    await stage.run(["Look.", ...all]);
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("you may use Read, Bash(touch a.txt) only");
    const results = resultsOf(stage.exchanges[2]).map((result) => result.text);
    const only = "follows the skill look, which works with Read, Bash(touch a.txt) only";
    expect(results.map((result) => result.includes(only))).toEqual([true, true, false, false]);
    expect([place.has("b.txt"), place.has("c.txt")]).toEqual([false, false]);
    await stage.run(["-c", "Write.", ...all]);
    expect(place.has("b.txt")).toBe(true);
  });

  slowTest(
    "the user's skill counts before a workspace's of the same name, and one that cannot be read is named",
    async () => {
      writeOwn("deploy/SKILL.md", skillText("deploy", "The user's own way", "Ask first."));
      writeOwn("broken/SKILL.md", "---\nname: broken\n---\nNothing.");
      place.write(".claude/skills/deploy/SKILL.md", skillText("deploy", "The workspace's way", "Just push."));
      await place.trust();
      const listed = await place.run(["skills"]);
      expect(listed.stdout).toBe("deploy  The user's own way\n");
      expect(listed.stderr).toMatch(/broken\/SKILL\.md is left out: it has no description/);
      const wrong = await place.run(["skills", "show", "deply"]);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean")]);
      const stage = await place.rehearse(wire, [{ text: "One." }]);
      const { stderr } = await stage.run(["Hello."]);
      expect(stderr).toContain("broken/SKILL.md is left out");
    },
  );
});
