/** One session at once from a program on standard input and output, from `capstan run`, and from a program that embeds the library. */
import { Engine } from "@capstan/library";
import type { JournalRecord } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();
const sessionId = "everybody";
const json = ["--output-format", "json", "--resume", sessionId];

test("a session is driven by a program, a command and a library at once, and continues when its owner leaves", async () => {
  const answers = ["one", "two", "three", "four", "five"].map((text) => ({ text }));
  const stage = await place.rehearse("anthropic", answers);
  const program = await embedded(stage);
  const engine = libraryEngine(stage);
  const session = await engine.open({ type: "resume", id: await (await engine.client()).sessions.resolve(sessionId) });
  expect(await session.client.owner()).toMatchObject({ type: "process", processId: program.pid });

  const submission = { type: "user-input", turnId: "by-program", content: [{ type: "text", text: "by the program" }] };
  program.write(`${JSON.stringify({ id: "4", op: "submit", params: { sessionId, submission } })}\n`);
  const [ran, sent] = await Promise.all([
    stage.run([...json, "by the command"]),
    session.send("by the library").result(),
  ]);
  await program.stdoutMatches(/(?:"type":"turn-ended"[^]*){3}/);
  expect([parseResult(ran), sent]).toMatchObject([{ outcome: "done" }, { type: "ended", outcome: "done" }]);
  expect(outcomes(await recordsOf(session.client))).toEqual(["done", "done", "done"]);
  expect(spoken(await recordsOf(session.client))).toEqual(["by the command", "by the library", "by the program"]);

  // The library carries the session on, and the next command joins it there.
  program.endInput();
  expect((await program.ended).code).toBe(0);
  expect(await session.send("and once more").result()).toMatchObject({ outcome: "done" });
  const second = await stage.run([...json, "and again"]);
  expect({ outcome: parseResult(second)["outcome"], stderr: second.stderr }).toEqual({
    outcome: "done",
    stderr: expect.stringContaining(`Process ${process.pid} `),
  });
  await engine.shutdown();
  expect(stage.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(stage.exchanges).toHaveLength(answers.length);
  const numbers = parseLines(await place.run(["sessions", "show", sessionId, "--json"])).map(({ seq }) => Number(seq));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
});

/** A program that has the session open; from its first record on others find it. */
async function embedded(stage: Stage): Promise<RunningCapstan> {
  const program = place.start(["embed", "-m", models.anthropic], { env: stage.env, holdInput: true });
  const requests = [
    ["sessions.create", { id: sessionId }],
    ["sessions.rename", { sessionId, title: "Of everybody" }],
    ["attach", { sessionId, after: 0 }],
  ] as const;
  for (const [at, [op, params]] of requests.entries()) {
    program.write(`${JSON.stringify({ id: `${at + 1}`, op, params })}\n`);
    await program.stdoutMatches(new RegExp(`^\\{"id":"${at + 1}","ok":true`, "m"));
  }
  return program;
}

function libraryEngine(stage: Stage): Engine {
  const engine = new Engine({
    home: place.data,
    cwd: place.workspace,
    env: { PATH: process.env["PATH"], HOME: place.folder, ...stage.env },
    model: models.anthropic,
    isShared: true,
  });
  onTestFinished(() => engine.shutdown());
  return engine;
}

interface History {
  history(
    before: number | null,
    limit: number,
  ): Promise<{ readonly events: readonly { readonly record: JournalRecord }[] }>;
}

async function recordsOf(client: History): Promise<readonly JournalRecord[]> {
  return (await client.history(null, 500)).events.map(({ record }) => record);
}

function outcomes(records: readonly JournalRecord[]): readonly string[] {
  return records.flatMap((record) => (record.type === "turn-ended" ? [record.outcome] : []));
}

function spoken(records: readonly JournalRecord[]): readonly string[] {
  return records
    .flatMap((record) => (record.type === "turn-started" ? record.content : []))
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .toSorted();
}
