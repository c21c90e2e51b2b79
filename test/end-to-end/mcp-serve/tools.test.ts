import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import { asked, connectClient, textOf } from "./use-client.ts";

const place = usePlace();

test("with --tools a client calls the workspace's tools: rules, mode and questions hold, the journal has every call, and the model is never asked", async () => {
  place.write("a.txt", "one\n");
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const { client, call, data } = await connectClient(place, stage, [
    "--role",
    "approve",
    "--tools",
    "--deny",
    "read_file(secret/**)",
  ]);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["begin_session", "read_file", "write_file", "run_command"]));
  expect(names.filter((name) => /ask_user|update_plan|plan_mode|spawn_agent|search_tools/.test(name))).toEqual([]);
  for (const _ of [1, 2, 3, 4]) expect(textOf(await call("read_file", { path: "a.txt" }))).toContain("one");
  const denied = await call("read_file", { path: "secret/key.txt" });
  expect(denied.isError).toBe(true);
  const waiting = await call("write_file", { path: "b.txt", content: "two\n" });
  expect(place.has("b.txt")).toBe(false);
  const { session, question } = asked(waiting);
  expect(textOf(await call("read_file", { path: "a.txt" }))).toContain("waits for a user's answer");
  expect(await data("answer_session", { session, question, answer: "approve" })).toMatchObject({ outcome: "done" });
  expect(place.read("b.txt")).toBe("two\n");
  expect((await call("no_such", {})).isError).toBe(true);
  await client.close();
  const audited = parseLines(await place.run(["sessions", "export", session])).map((line) => JSON.stringify(line));
  expect(audited.filter((line) => line.includes("b.txt")).length).toBeGreaterThan(0);
  expect(stage.exchanges).toEqual([]);
});

test("without any key a client calls the workspace's tools, each time, and is offered no session to begin", async () => {
  place.write("a.txt", "one\n");
  const { client, call, process } = await connectClient(place, { env: {} }, ["--tools"]);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["inspect_session", "read_file"]));
  expect(names.filter((name) => /^(?:begin|continue)_session$/.test(name))).toEqual([]);
  for (const _ of [1, 2]) expect(textOf(await call("read_file", { path: "a.txt" }))).toContain("one");
  await client.close();
  expect((await process.ended).stderr).toContain("the workspace's tools are offered, and no sessions with a model");
});
