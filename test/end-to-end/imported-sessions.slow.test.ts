import { expect, test } from "vitest";
import { samples } from "../../importers/test/foreign/samples.ts";
import { usePlace, wires } from "./stage/place.ts";
import { type OutputObject, parseLines, parseResult } from "./stage/read-output.ts";
import type { Run } from "./stage/run-capstan.ts";

const place = usePlace();

const json = ["--output-format", "json"];

/** A model that an import can be given; no key is needed for it. */
const model = ["-m", "anthropic/claude-sonnet-4-5"];

test.each(samples.map((sample, at) => [sample.agent, sample.form, sample.text, wires[at % wires.length]] as const))(
  "a session of %s (%s), cut off in the middle of a tool call, imports and continues",
  async (agent, _form, text, wire) => {
    place.write("session.txt", text.slice(0, text.trimEnd().length - 4));
    const imported = await place.run(["sessions", "import", "session.txt", "--json", ...model]);
    const report = onlyLine(imported);
    expect({ code: imported.code, report }).toMatchObject({ code: 0, report: { agent, turns: expect.any(Number) } });
    const stage = await place.rehearse(wire ?? "anthropic", [{ text: "and on it goes" }]);
    const run = await stage.run([...json, "--resume", String(report["sessionId"]), "now continue"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", text: "and on it goes" });
    expect(JSON.stringify(stage.exchanges[0]?.body)).toContain("now continue");
    const examined = await place.run(["doctor", String(report["sessionId"])]);
    expect({ code: examined.code, problems: examined.lines.filter((line) => line.startsWith("✗")) }).toEqual({
      code: 0,
      problems: [],
    });
  },
);

test("an exported session imports elsewhere, continues there, and its audit names what was imported", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "first", "the first words"]);
  const file = await place.run(["sessions", "export", "first"]);
  place.write("first.jsonl", file.stdout);
  const elsewhere = { env: { CAPSTAN_HOME: `${place.data}-elsewhere` } };
  const imported = await place.run(["sessions", "import", "first.jsonl"], elsewhere);
  expect({ code: imported.code, text: imported.stdout }).toEqual({
    code: 0,
    text: expect.stringContaining("capstan run --resume first"),
  });
  const shown = await Promise.all([
    place.run(["sessions", "show", "first"]),
    place.run(["sessions", "show", "first"], elsewhere),
  ]);
  expect(shown.map((run) => run.stdout.includes("the first words"))).toEqual([true, true]);
  expect((await stage.run(["--resume", "first", "more words"], elsewhere)).stdout).toBe("two\n");
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("the first words");
  const verified = await Promise.all([
    place.run(["audit", "verify", "first"], elsewhere),
    place.run(["audit", "verify", "first", "--json"]),
  ]);
  expect(verified[0]?.stdout).toMatch(/Records 1 to \d+ were imported from Capstan \(first\)/);
  expect(onlyLine(verified[1] ?? imported)).toMatchObject({ verified: true, imported: null });
  const again = await place.run(["sessions", "import", "first.jsonl"], elsewhere);
  expect({ code: again.code, text: again.stderr }).toEqual({ code: 2, text: expect.stringContaining("--as") });
});

test("fork prints an id that is accepted; delete removes one session and says so", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "first", "the first words"]);
  const fork = (await place.run(["sessions", "fork", "first"])).stdout.trim();
  expect((await stage.run(["--resume", fork, "more words"])).stdout).toBe("two\n");
  const refused = await place.run(["sessions", "delete", "first"]);
  expect({ code: refused.code, text: refused.stderr }).toEqual({ code: 2, text: expect.stringContaining("--yes") });
  expect((await place.run(["sessions", "delete", "first", "--yes"])).stdout).toBe("Deleted first.\n");
  const left = parseLines(await place.run(["sessions", "list", "--json"]));
  expect(left.map((session) => session["id"])).toEqual([fork]);
});

test("what a file says cannot act on the terminal, whichever way it is shown", async () => {
  const text = JSON.stringify({
    sessionId: "x",
    projectHash: "y",
    messages: [{ id: "1", type: "user", content: "a\u001b]0;evil\u0007b\u202ec" }],
  });
  place.write("session.json", text);
  const report = onlyLine(await place.run(["sessions", "import", "session.json", "--json", ...model]));
  const id = String(report["sessionId"]);
  const shown = await Promise.all([
    place.run(["sessions", "export", id, "--format", "markdown"]),
    place.run(["audit", "export", id]),
    place.run(["sessions", "show", id]),
  ]);
  expect(
    shown.map((run) => [
      run.code,
      ["\u001b", "\u0007", "\u202e"].some((control) => run.stdout.includes(control)),
      run.stdout.includes("abc"),
    ]),
  ).toEqual(shown.map(() => [0, false, true]));
});

test("audit and doctor speak JSON, and an exported file is never written over another", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }]);
  await stage.run(["--session-id", "first", "the first words"]);
  expect(onlyLine(await place.run(["audit", "verify", "first", "--json"]))).toMatchObject({ verified: true });
  expect(onlyLine(await place.run(["doctor", "first", "--json"]))).toMatchObject({ healthy: true });
  const trail = parseLines(await place.run(["audit", "export", "first", "--json"]));
  expect(trail[0]).toMatchObject({ format: "capstan-audit", redacted: true });
  expect(JSON.stringify(trail)).toContain("the first words");
  place.write("there.jsonl", "precious");
  const run = await place.run(["sessions", "export", "first", "-o", "there.jsonl"]);
  expect({ code: run.code, text: place.read("there.jsonl") }).toEqual({ code: 2, text: "precious" });
});

function onlyLine(run: Run): OutputObject {
  return parseLines(run)[0] ?? {};
}
