import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();
const sessionId = "shared";

/** A program that has the session open, and has sent its first words. */
async function embedded(stage: Stage, text: string, flags: readonly string[] = []): Promise<RunningCapstan> {
  const program = place.start(["embed", "-m", models.anthropic, ...flags], { env: stage.env, holdInput: true });
  const submission = { type: "user-input", turnId: "t1", content: [{ type: "text", text }] };
  const requests = [
    ["sessions.create", { id: sessionId }],
    ["attach", { sessionId, after: 0 }],
    ["submit", { sessionId, submission }],
  ] as const;
  for (const [at, [op, params]] of requests.entries()) {
    program.write(`${JSON.stringify({ id: String(at), op, params })}\n`);
    await program.stdoutMatches(new RegExp(`^\\{"id":"${at}","ok":true`, "m"));
  }
  return program;
}

test("a session that a program has open is followed and written to from another process, which leaves it at work", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "first answer" }, { text: "second answer" }]);
  const program = await embedded(stage, "say hi");
  const attached = place.start(["sessions", "attach", sessionId], { env: stage.env, holdInput: true });
  await attached.stdoutMatches(/first answer/);
  attached.write("and again\n");
  await attached.stdoutMatches(/second answer[^]*— done/);
  attached.kill("SIGINT");
  const { code, stdout, stderr } = await attached.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Process ${program.pid} `) });
  expect(stdout).toContain("> and again");
  await program.stdoutMatches(/"type":"turn-ended"[^]*"type":"turn-ended"/);
  program.endInput();
  expect((await program.ended).code).toBe(0);
  expect(stage.exchanges).toHaveLength(2);
});

slowTest("what waits for an approval is answered from an attached process; words answer nothing", async () => {
  const call = { name: "run_command", arguments: { command: "touch made" } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [call] }, { text: "it is made" }]);
  const ask = ["--set", "sandbox.auto_run=false"];
  const program = place.start(["embed", "-m", models.anthropic, "--sandbox", "off", ...ask], {
    env: stage.env,
    holdInput: true,
  });
  const submission = { type: "user-input", turnId: "t1", content: [{ type: "text", text: "make it" }] };
  program.write(`${JSON.stringify({ id: "1", op: "sessions.create", params: { id: sessionId } })}\n`);
  await program.stdoutMatches(/^\{"id":"1","ok":true/m);
  program.write(`${JSON.stringify({ id: "2", op: "submit", params: { sessionId, submission } })}\n`);
  await program.stdoutMatches(/^\{"id":"2","ok":true/m);
  const attached = place.start(["sessions", "attach", sessionId], { env: stage.env, holdInput: true });
  await attached.stderrMatches(
    /^Run WITHOUT A SANDBOX: touch made\n(?: {2}.*\n)*1 once[^\n]*\n4 edit · 5 no · v details\nAnswer with: \/answer NUMBER/m,
  );
  attached.write("/answer perhaps\n");
  await attached.stderrMatches(/Nothing was answered/);
  attached.write("/answer 7\n");
  await attached.stderrMatches(/Look at all that it would allow first/);
  attached.write("/answer v\n");
  await attached.stderrMatches(/digest: [0-9a-f]{64}[^]*7 always here/);
  attached.write("/answer 1\n");
  await attached.stdoutMatches(/it is made/);
  expect(place.has("made")).toBe(true);
  attached.kill("SIGINT");
  expect((await attached.ended).code).toBe(0);
  program.endInput();
  await program.ended;
});

slowTest(
  "a line that begins with ! runs in the session's process, as often as it is typed, and the model is informed with the next words",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "first answer" }, { text: "second answer" }]);
    const program = await embedded(stage, "say hi", ["--sandbox", "off"]);
    const attached = place.start(["sessions", "attach", sessionId], { env: stage.env, holdInput: true });
    await attached.stdoutMatches(/first answer[^]*— done/);
    attached.write("!echo once >> made; echo so said\n");
    await attached.stdoutMatches(/so said[^]*— done/);
    attached.write("!echo twice >> made && cat made\n");
    await attached.stdoutMatches(/once\n[^]*twice[^]*— done/);
    attached.write("!\n");
    await attached.stderrMatches(/an empty command is not run/);
    attached.write(" !is that so\n");
    await attached.stdoutMatches(/second answer[^]*— done/);
    expect(place.read("made")).toBe("once\ntwice\n");
    expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toMatch(/The user ran a command: .*so said.* !is that so/);
    attached.kill("SIGINT");
    expect((await attached.ended).code).toBe(0);
    program.endInput();
    await program.ended;
    expect(stage.exchanges).toHaveLength(2);
  },
);

slowTest("a user's command whose process is killed is not run again, and the next process continues", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "first answer" }, { text: "second answer" }]);
  const program = await embedded(stage, "say hi", ["--sandbox", "off"]);
  const attached = place.start(["sessions", "attach", sessionId], { env: stage.env, holdInput: true });
  await attached.stdoutMatches(/first answer[^]*— done/);
  attached.write("!echo once >> made; echo it began; tail -f /dev/null\n");
  await program.stdoutMatches(/"delta":"it began/);
  program.kill("SIGKILL");
  await program.ended;
  await attached.stderrMatches(/read from the store: .*\. What is not finished waits: capstan resume \w+\n/);
  // What it did is not known: the next process says so, and leaves it at that.
  expect(await stage.run(["--resume", sessionId, "what happened"])).toMatchObject({ code: 6 });
  const run = await stage.run(["--resume", sessionId, "what happened"]);
  expect({ code: run.code, stdout: run.stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("second answer"),
  });
  expect(place.read("made")).toBe("once\n");
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toMatch(/The user ran a command: .*Interrupted.*what happened/);
  // The attached process shows what the next one did.
  await attached.stdoutMatches(/second answer/);
  attached.kill("SIGINT");
  expect((await attached.ended).code).toBe(0);
});

slowTest("with --role watch nothing is sent, and a session that nobody has open is read from the store", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "first answer" }]);
  await stage.run(["--session-id", sessionId, "say hi"]);
  const args = ["sessions", "attach", sessionId, "--role", "watch", "--output-format", "stream-json"];
  const attached = place.start(args, { holdInput: true });
  await attached.stdoutMatches(/"type":"live"/);
  attached.write("more\n");
  attached.kill("SIGINT");
  const { code, stdout, stderr } = await attached.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/read from the store: [^.]*\.\n/) });
  expect(stdout).toContain('"type":"turn-ended"');
  expect(stage.exchanges).toHaveLength(1);
});

slowTest("a session is renamed, also while another process has it open", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "first answer" }]);
  const program = await embedded(stage, "say hi");
  await program.stdoutMatches(/"type":"turn-ended"/);
  expect((await place.run(["sessions", "rename", sessionId, "A name"])).code).toBe(0);
  await program.stdoutMatches(/"title":"A name"/);
  program.endInput();
  await program.ended;
  expect((await place.run(["sessions", "rename", sessionId, "Another name"])).code).toBe(0);
  expect((await place.run(["sessions", "list"])).stdout).toContain("Another name");
});
