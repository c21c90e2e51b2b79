import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();

/** A session of Claude Code, long ago. */
function oldSession(): string {
  const where = { cwd: place.workspace, sessionId: "11111111-2222-4333-8444-555555555555", version: "2.0.1" };
  const line = (at: number, type: string, message: object): string =>
    JSON.stringify({
      parentUuid: at === 0 ? null : `00000000-0000-4000-8000-00000000000${at - 1}`,
      isSidechain: false,
      ...where,
      type,
      message,
      uuid: `00000000-0000-4000-8000-00000000000${at}`,
      timestamp: new Date(Date.UTC(2024, 0, 1) + 1000 * at).toISOString(),
    });
  const text = { type: "text", text: "It is old." };
  const answer = {
    type: "message",
    role: "assistant",
    model: "m",
    id: "msg_1",
    content: [text],
    stop_reason: "end_turn",
  };
  return `${[
    line(0, "user", { role: "user", content: "How old is it?" }),
    line(1, "assistant", { ...answer, usage: { input_tokens: 1, output_tokens: 1 } }),
  ].join("\n")}\n`;
}

test("sessions in which nothing happened for so long are named, removed when it is meant, and then are gone; others stay", async () => {
  place.write("old.jsonl", oldSession());
  const stage = await place.rehearse("anthropic", [{ text: "New." }]);
  const model = ["-m", "anthropic/rehearsal"];
  const imported = await place.run(["sessions", "import", "old.jsonl", "--json", ...model], { env: stage.env });
  const id = parseLines(imported)[0]?.["sessionId"];
  await stage.run(["Something new."]);
  const prune = async (...args: readonly string[]) =>
    await place.run(["sessions", "prune", ...args], { env: stage.env });
  const looked = await prune("--older-than", "90d");
  expect([looked.code, looked.stdout]).toEqual([
    0,
    expect.stringMatching(/^\S+ {2}2024-01-01 {2}would be deleted {2}/),
  ]);
  expect(looked.stderr).toContain("1 session would be deleted for good; --yes deletes them.");
  const done = await prune("--older-than", "90d", "--yes", "--json");
  expect(parseLines(done)).toEqual([expect.objectContaining({ sessionId: id, state: "deleted" })]);
  const again = await prune("--older-than", "90d", "--yes");
  expect([again.code, again.stdout, again.stderr]).toEqual([0, "", "No session is that old.\n"]);
  expect(parseLines(await place.run(["sessions", "list", "--json"]))).toHaveLength(1);
  expect((await prune("--older-than", "soon")).stderr).toContain("--older-than takes a day");
});
