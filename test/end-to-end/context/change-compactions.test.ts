import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();
const said = "The user counted to three.";

async function summarised(wire: Parameters<typeof place.rehearse>[0]): Promise<Stage> {
  const texts = ["one", "two", "three", said, "four", "five"];
  const stage = await place.rehearse(
    wire,
    texts.map((text) => ({ text })),
  );
  await stage.run(["Count with me."]);
  await stage.run(["-c", "next"]);
  await stage.run(["-c", "next"]);
  const [session] = parseLines(await place.run(["sessions", "list", "--json"]));
  expect((await place.run(["sessions", "compact", String(session?.["id"])], { env: stage.env })).code).toBe(0);
  return stage;
}

function sent(stage: Stage): string {
  return JSON.stringify(stage.exchanges.at(-1)?.body);
}

overWires("over %s", (wire, test, slowTest) => {
  slowTest(
    "a compaction is undone, and the model sees the originals; redone, and it sees the summary again",
    async () => {
      const stage = await summarised(wire);
      const undone = await place.run(["context", "undo"]);
      expect([undone.code, undone.stderr]).toEqual([0, ""]);
      expect(undone.stdout).toContain("capstan context redo");
      const twice = await place.run(["context", "undo"]);
      expect([twice.code, twice.stdout]).toEqual([1, ""]);
      expect(twice.stderr).toContain("is not what the model is shown [compaction.unchanged]");
      await stage.run(["-c", "next"]);
      expect([sent(stage).includes(said), sent(stage).includes("Count with me.")]).toEqual([false, true]);
      const redone = await place.run(["context", "redo"]);
      expect([redone.code, redone.stderr]).toEqual([0, ""]);
      await stage.run(["-c", "next"]);
      expect(sent(stage)).toContain(said);
      const [entry] = parseLines(await place.run(["context", "compactions", "--json"]));
      expect(entry).toMatchObject({ state: "shown", by: "model", messageCount: 2, reason: "asked" });
    },
  );

  slowTest("the words of a summary are changed by a flag, a file, or in the user's editor", async () => {
    const stage = await summarised(wire);
    const edited = await place.run(["context", "edit", "--text", "They counted ships."]);
    expect([edited.code, edited.stderr]).toEqual([0, ""]);
    place.write("words.md", "They counted boats.\n");
    expect(await place.run(["context", "edit", "--file", "words.md", "--compaction", "c1"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    await stage.run(["-c", "next"]);
    expect(sent(stage)).toContain("They counted boats.");
    expect(sent(stage)).not.toContain("They counted ships.");
    const diff = await place.run(["context", "diff"]);
    expect(diff.stdout).toContain("-Count with me.\n-model: one\n+They counted boats.\n");
    expect((await place.run(["context", "compactions"])).stdout).toMatch(/^c1 {2}shown .*your words/m);
  });

  test("what cannot be changed is refused with the remedy, and changes nothing", async () => {
    const stage = await place.rehearse(wire, [{ text: "one" }]);
    await stage.run(["Count with me."]);
    const none = await place.run(["context", "undo"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("Make one: capstan sessions compact")]);
    const unknown = await place.run(["context", "show", "no-such-session"]);
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
  });
});
