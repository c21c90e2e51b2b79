import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { models, type Stage, type WireName, usePlace } from "../stage/place.ts";
import { overWires } from "../stage/over-wires.ts";
import type { OutputObject } from "../stage/read-output.ts";
import type { Run, RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();

/** A program that embeds the engine, by hand: a line per request. */
class Program {
  readonly process: RunningCapstan;

  constructor(process: RunningCapstan) {
    this.process = process;
  }

  /** Resolves when the request with this id is answered. */
  async ask(id: string, op: string, params: object = {}): Promise<void> {
    this.process.write(`${JSON.stringify({ id, op, params })}\n`);
    await this.process.stdoutMatches(new RegExp(`^\\{"id":${JSON.stringify(id)}`, "m"));
  }

  /** Ends standard input, and waits for the process. */
  async end(): Promise<Ended> {
    this.process.endInput();
    const run = await this.process.ended;
    const lines = run.lines.map((line): OutputObject => ({ ...JSON.parse(line) }));
    return { run, lines, answer: (id) => lines.find((line) => line["id"] === id) };
  }
}

interface Ended {
  readonly run: Run;
  readonly lines: readonly OutputObject[];
  readonly answer: (id: string) => OutputObject | undefined;
}

function embed(stage: Stage, wire: WireName, ...flags: readonly string[]): Program {
  const args = ["embed", "-m", models[wire], ...flags];
  return new Program(place.start(args, { env: stage.env, holdInput: true }));
}

const sessionId = "embedded";
const words = { type: "user-input", turnId: "t1", content: [{ type: "text", text: "say hi" }] };

overWires("over %s", (wire, test) => {
  test("a program holds a session over standard input and output, and a submission sent again changes nothing", async () => {
    const stage = await place.rehearse(wire, [{ text: "hello there" }]);
    const program = embed(stage, wire);
    await program.ask("1", "hello", { frontend: "editor" });
    await program.ask("2", "sessions.create", { id: sessionId, title: "From an editor" });
    await program.ask("3", "attach", { sessionId, after: 0 });
    await program.ask("4", "submit", { sessionId, submission: words });
    await program.process.stdoutMatches(/"type":"turn-ended"/);
    await program.ask("5", "submit", { sessionId, submission: words });
    const { run, lines, answer } = await program.end();
    expect(run.code).toBe(0);
    expect(answer("1")).toMatchObject({ ok: true, result: { name: "capstan", identity: { role: "operate" } } });
    expect(answer("2")).toMatchObject({ ok: true, result: { sessionId, identity: { frontend: "editor" } } });
    expect([answer("4"), answer("5")]).toMatchObject([
      { ok: true, result: { type: "accepted" } },
      { ok: true, result: { type: "accepted" } },
    ]);
    const events = lines.filter(({ stream }) => stream === "3").map(({ event }) => event);
    expect([events[0], events.includes("live")]).toEqual(["snapshot", true]);
    const records = lines.filter(({ event }) => event === "record");
    const numbers = records.map(({ seq }) => Number(seq));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    expect(records.filter((line) => isRecord(line, "turn-started"))).toHaveLength(1);
    expect(records.find((line) => isRecord(line, "turn-ended"))).toMatchObject({ record: { outcome: "done" } });
    expect(stage.exchanges).toHaveLength(1);
    expect((await place.run(["sessions", "list"])).stdout).toContain("From an editor");
  });
});

slowTest("with --role watch a program reads, and can change nothing", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "hello there" }]);
  await stage.run(["--session-id", sessionId, "say hi"]);
  const program = embed(stage, "anthropic", "--role", "watch");
  await program.ask("1", "hello", { role: "operate" });
  await program.ask("2", "sessions.open", { sessionId });
  await program.ask("3", "submit", { sessionId, submission: words });
  await program.ask("4", "sessions.create");
  const { run, answer } = await program.end();
  expect(run.code).toBe(0);
  expect(answer("1")).toMatchObject({ result: { identity: { role: "watch" } } });
  expect(answer("3")).toMatchObject({ result: { type: "refused" } });
  expect(answer("4")).toMatchObject({ ok: false, error: { code: "door.role" } });
  expect(stage.exchanges).toHaveLength(1);
});

test("standard output carries the protocol alone: what is there to say goes to standard error", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "not asked" }]);
  place.write("AGENTS.md", "be brief\n");
  place.write(".capstan/config.toml", "nonsense = 1\n");
  const program = embed(stage, "anthropic", "--yolo");
  await program.ask("1", "hello");
  const { run, lines } = await program.end();
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: expect.stringContaining("--yolo") });
  expect(lines).toHaveLength(1);
});

slowTest("asked to stop, it leaves the turn as it is, and another process resumes it", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never", delay_ms: 60_000 }, { text: "hello again" }]);
  const program = embed(stage, "anthropic");
  await program.ask("1", "sessions.create", { id: sessionId });
  await program.ask("2", "submit", { sessionId, submission: words });
  await stage.requests(1);
  program.process.kill("SIGTERM");
  expect((await program.process.ended).code).toBe(143);
  expect((await stage.run(["--resume", sessionId])).stdout).toBe("hello again\n");
});

test("a role that there is not is refused before anything starts", async () => {
  const { code, stderr } = await place.run(["embed", "--role", "king"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--role takes watch, ask") });
});

function isRecord({ record }: OutputObject, type: string): boolean {
  return typeof record === "object" && record !== null && "type" in record && record.type === type;
}
