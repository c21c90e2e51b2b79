import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { parseLines, parseResult } from "./stage/read-output.ts";
import { headOf, lastUserText, messagesOf } from "./stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];

overWires("over %s", (wire, test, slowTest) => {
  test("--continue keeps the conversation, byte for byte as it was sent before", async () => {
    place.write("note.txt", "hello\n");
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const stage = await place.rehearse(wire, [
      { thinking: "hm", text: "I look.", tool_calls: [read, { ...read, arguments: { path: "gone.txt" } }] },
      { text: "first answer" },
      { text: "second answer" },
    ]);
    await stage.run(["first question"]);
    expect((await stage.run(["--continue", "second question"])).stdout).toBe("second answer\n");
    const [, before, after] = stage.exchanges;
    if (before === undefined || after === undefined) throw new Error("three requests were expected");
    const earlier = messagesOf(before);
    expect(JSON.stringify(messagesOf(after).slice(0, earlier.length))).toBe(JSON.stringify(earlier));
    expect(JSON.stringify(headOf(after))).toBe(JSON.stringify(headOf(before)));
    expect(JSON.stringify(messagesOf(after))).toContain("first answer");
    expect(lastUserText(after)).toContain("second question");
  });

  slowTest("--resume takes an id or a unique beginning of it", async () => {
    const stage = await place.rehearse(wire, [{ text: "one" }, { text: "two" }, { text: "three" }]);
    await stage.run(["--session-id", "alpha-1", "to alpha"]);
    await stage.run(["--session-id", "beta-1", "to beta"]);
    expect((await stage.run(["--resume", "al", "more for alpha"])).code).toBe(0);
    const texts = JSON.stringify(stage.exchanges[2]?.body);
    expect([texts.includes("to alpha"), texts.includes("to beta")]).toEqual([true, false]);
  });

  slowTest("--fork-session continues in a copy and leaves the original as it was", async () => {
    const stage = await place.rehearse(wire, [{ text: "one" }, { text: "two" }, { text: "three" }]);
    await stage.run(["--session-id", "original", "the first words"]);
    const before = (await place.run(["sessions", "show", "original", "--json"])).stdout;
    const fork = parseResult(await stage.run([...json, "--resume", "original", "--fork-session", "words of the fork"]));
    expect(fork).toMatchObject({ outcome: "done", text: "two" });
    expect(fork["sessionId"]).not.toBe("original");
    expect((await place.run(["sessions", "show", "original", "--json"])).stdout).toBe(before);
    expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("the first words");
    await stage.run(["--resume", "original", "more words"]);
    expect(JSON.stringify(stage.exchanges[2]?.body)).not.toContain("words of the fork");
    expect(await summaries()).toMatchObject([
      { id: "original", turns: 2 },
      { id: fork["sessionId"], turns: 2, forkedFrom: "original" },
    ]);
  });

  slowTest("a session begun over one wire continues over the other", async () => {
    place.write("note.txt", "hello\n");
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const first = await place.rehearse(wire, [
      { thinking: "hm", text: "I look.", tool_calls: [read] },
      { text: "one" },
    ]);
    expect((await first.run(["first question"])).stdout).toBe("one\n");
    const second = await place.rehearse(wire === "anthropic" ? "openai-chat" : "anthropic", [{ text: "two" }]);
    expect((await second.run(["--continue", "second question"])).stdout).toBe("two\n");
    expect(JSON.stringify(second.exchanges[0]?.body)).toContain("first question");
  });
});

test("sessions list and show: newest first, with ids that are accepted", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "the first answer" }, { text: "the second answer" }]);
  const first = String(parseResult(await stage.run([...json, "first question"]))["sessionId"]);
  const second = String(parseResult(await stage.run([...json, "second question"]))["sessionId"]);
  expect((await summaries()).map((session) => session["id"])).toEqual([second, first]);
  expect((await place.run(["sessions", "list", "--limit", "1", "--json"])).lines).toHaveLength(1);
  const shown = await place.run(["sessions", "show", first]);
  expect({ code: shown.code, text: shown.stdout }).toEqual({
    code: 0,
    text: expect.stringContaining("> first question"),
  });
  expect(shown.stdout).toContain("the first answer");
  expect(shown.stdout).not.toContain("second");
  const listed = await place.run(["sessions", "list"]);
  expect(listed.lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ["second question", second],
    ["first question", first],
  ]);
});

test("no sessions yet is no error", async () => {
  const run = await place.run(["sessions", "list"]);
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: "No sessions yet.\n" });
});

test("an id that is unknown, empty or not unique is refused before anything is asked", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "same-1", "x"]);
  await stage.run(["--session-id", "same-2", "x"]);
  const refused = [
    [["--resume", "same"], "session.ambiguous"],
    [["--resume", ""], "session.unknown"],
    [["--session-id", "same-1"], expect.any(String)],
    [["--session-id", "not an id"], expect.any(String)],
    [["--resume", "nothing"], "session.unknown"],
    [["--fork-session"], "usage.invalid"],
    [["--continue", "--resume", "same-1"], "usage.invalid"],
  ] as const;
  await Promise.all(
    sampled(refused, 2).map(async ([flags, code]) => {
      const run = await stage.run([...json, ...flags, "y"]);
      expect([flags, run.code]).toEqual([flags, 2]);
      expect(parseResult(run)["error"]).toMatchObject({ code });
    }),
  );
  expect((await place.run(["sessions", "show", "nothing"])).code).toBe(2);
  expect(stage.exchanges).toHaveLength(2);
});

slowTest("--continue without a session in this directory says so", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }]);
  await stage.run(["x"]);
  place.write("other/note.txt", "hello\n");
  const run = await stage.run(["--continue", "-C", "other", "y"]);
  expect({ code: run.code, stderr: run.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("no session was held"),
  });
});

/** Each command without an id, and what shows which session it was about. */
const meaningLatest = [
  ["sessions", "show"],
  ["sessions", "tree", "--json"],
  ["sessions", "export"],
  ["audit", "verify"],
  ["audit", "export"],
  ["context", "show"],
] as const;

test("a command that is given no session means the latest here, whatever was done since elsewhere", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
  place.write("other/note.txt", "hello\n");
  expect((await place.run(["sessions", "show"])).stderr).toContain("no session was held in");
  await stage.run(["--session-id", "older-here", "first"]);
  await stage.run(["--session-id", "latest-here", "second"]);
  await stage.run(["--session-id", "elsewhere-1", "-C", "other", "third"]);
  for (const command of sampled(meaningLatest, 2)) {
    const { code, stdout, stderr } = await place.run([...command]);
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
    const named = await place.run([...command, "latest-here"]);
    expect({ command, stdout }).toEqual({ command, stdout: named.stdout });
  }
});

async function summaries(): Promise<ReturnType<typeof parseLines>> {
  return parseLines(await place.run(["sessions", "list", "--json"]));
}
