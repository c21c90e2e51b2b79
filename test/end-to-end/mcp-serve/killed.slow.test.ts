import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { asked, connectClient, newestSession, textOf } from "./use-client.ts";

const place = usePlace();

test("a process that is killed in a call loses nothing: the next one is asked about what ran, and a third finds that question", async () => {
  const command = "echo once >> runs.txt; sleep 600";
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { command } }] },
    { text: "understood" },
  ]);
  const flags = ["--role", "approve", "--permission-mode", "accept-edits"];
  const killed = await connectClient(place, stage, flags);
  const lost = killed.call("begin_session", { prompt: "sleep", title: "notes" });
  lost.catch(() => undefined);
  // Looking again costs a round trip.
  while (!place.has("runs.txt") || place.read("runs.txt") === "") await killed.data("list_sessions");
  killed.process.kill("SIGKILL");
  await expect(lost).rejects.toThrow("closed");

  const next = await connectClient(place, stage, flags);
  const { question } = asked(await next.call("continue_session", { session: "notes", prompt: "continue" }));
  expect(question).not.toBe("");
  next.process.kill("SIGKILL");
  await next.process.ended;

  const last = await connectClient(place, stage, flags);
  const session = await newestSession(last);
  expect(await last.data("inspect_session", { session })).toMatchObject({
    questions: [{ id: question, type: "recovery" }],
  });
  const wrong = await last.call("answer_session", { session, question, answer: "approve" });
  expect(textOf(wrong)).toContain("It takes accept-as-done, run-again, undo, tell-model, discard.");
  const answered = await last.data("answer_session", { session, question, answer: "tell-model" });
  expect(answered).toMatchObject({ state: "ended", outcome: "done", text: "understood" });
  expect(place.read("runs.txt")).toBe("once\n");
  await last.client.close();
});

test("a call that was under way when the process was killed is not made twice by the next one", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const flags = ["--tools", "--allow", "run_command", "--permission-mode", "accept-edits"];
  const killed = await connectClient(place, stage, flags);
  const script = "echo once >> runs.txt; echo begun; sleep 600";
  const lost = killed.call("run_command", { command: script });
  lost.catch(() => undefined);
  // Looking again costs a round trip: no faster than the command.
  while (!place.has("runs.txt") || place.read("runs.txt") === "") await killed.data("list_sessions");
  killed.process.kill("SIGKILL");
  await killed.process.ended;
  const next = await connectClient(place, stage, flags);
  const session = await newestSession(next);
  const going = await next.call("continue_session", { session, prompt: "what became of it?" });
  expect(textOf(going)).toMatch(/accept-as-done|waits/);
  expect(place.read("runs.txt")).toBe("once\n");
  await next.client.close();
});
