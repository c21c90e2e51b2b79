import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();
const sessionId = "shared";
const json = ["--output-format", "json"];
const resume = ["--resume", sessionId];

/** A program that has the session open. */
async function embedded(stage: Stage, ...flags: readonly string[]): Promise<RunningCapstan> {
  const program = place.start(["embed", "-m", models.anthropic, ...flags], { env: stage.env, holdInput: true });
  await ask(program, "1", "sessions.create", { id: sessionId });
  // From its first record on others find it.
  await ask(program, "2", "sessions.rename", { sessionId, title: "A shared session" });
  await ask(program, "3", "attach", { sessionId, after: 0 });
  return program;
}

async function ask(program: RunningCapstan, id: string, op: string, params: object): Promise<void> {
  program.write(`${JSON.stringify({ id, op, params })}\n`);
  await program.stdoutMatches(new RegExp(`^\\{"id":"${id}","ok":true`, "m"));
}

test("a run joins a session that a program has open: its turn runs there, and both see it", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  const program = await embedded(stage);
  const first = await stage.run([...json, ...resume, "say one"]);
  expect(parseResult(first)).toMatchObject({ outcome: "done", text: "one", sessionId });
  expect(first.stderr).toContain(`Process ${program.pid} `);
  await program.stdoutMatches(/"type":"turn-ended"/);
  expect(parseResult(await stage.run([...json, ...resume, "say two"]))).toMatchObject({ outcome: "done", text: "two" });
  program.endInput();
  expect((await program.ended).code).toBe(0);
  expect(stage.exchanges).toHaveLength(2);
  expect((await place.run(["doctor", sessionId])).code).toBe(0);
});

slowTest(
  "in a joined session a flag that names a mode sets it for everybody; one that its process sets is refused",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "planned" }]);
    const program = await embedded(stage);
    const refused = await stage.run([...json, ...resume, "--sandbox", "off", "go"]);
    expect({ code: refused.code, error: parseResult(refused)["error"] }).toMatchObject({
      code: 2,
      error: { code: "usage.invalid", message: expect.stringContaining("sandbox.mode") },
    });
    expect((await stage.run([...resume, "--permission-mode", "plan", "--yolo", "go"])).stdout).toBe("planned\n");
    await program.stdoutMatches(/"type":"session-configured"[^\n]*"mode":"plan"/);
    program.endInput();
    expect((await program.ended).code).toBe(0);
    expect(stage.exchanges).toHaveLength(1);
  },
);

slowTest(
  "a run that only watched a turn of another process is stopped without it; words that wait are taken back",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "slow answer", first_byte_delay_ms: 60_000 }]);
    const program = await embedded(stage);
    const submission = { type: "user-input", turnId: "t1", content: [{ type: "text", text: "go" }] };
    await ask(program, "4", "submit", { sessionId, submission });
    await stage.requests(1);
    const behind = stage.start([...json, ...resume, "and then this"]);
    await program.stdoutMatches(/"type":"turn-queued"/);
    behind.kill("SIGINT");
    expect(parseResult(await behind.ended)).toMatchObject({ outcome: "interrupted", draft: "and then this" });
    await program.stdoutMatches(/"type":"queue-changed"/);
    const watching = stage.start(["--output-format", "stream-json", ...resume]);
    await watching.stdoutMatches(/"type":"init"/);
    watching.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    expect(stage.exchanges).toHaveLength(1);
  },
);

test("a run whose owner is killed carries its turn on itself, with no number lost or repeated", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: "never", first_byte_delay_ms: 60_000 },
    { text: "carried on" },
  ]);
  const program = await embedded(stage);
  const run = stage.start(["--output-format", "stream-json", ...resume, "go"]);
  await stage.requests(1);
  program.kill("SIGKILL");
  const ended = await run.ended;
  expect(parseResult(ended)).toMatchObject({ outcome: "done", text: "carried on" });
  const numbers = ended.lines.map((line) => Number(JSON.parse(line).seq)).filter((seq) => !Number.isNaN(seq));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  expect(linesOf(ended, "turn-started")).toHaveLength(1);
});
