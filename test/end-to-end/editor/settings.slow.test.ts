import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { openEditor } from "./use-editor.ts";

const place = usePlace();

test("mode and model are selectors, and what another frontend changes is shown", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  const editor = await openEditor(place, stage);
  const { sessionId, configOptions } = await editor.context.request("session/new", {
    cwd: place.workspace,
    mcpServers: [],
  });
  expect(configOptions).toMatchObject([
    { id: "mode", category: "mode", currentValue: "default" },
    { id: "model", category: "model", currentValue: "anthropic/rehearsal" },
    { id: "effort", category: "thought_level", currentValue: "default" },
  ]);
  await editor.context.request("session/set_mode", { sessionId, modeId: "accept-edits" });
  const chosen = { sessionId, configId: "model", value: "anthropic/other" };
  const changed = await editor.context.request("session/set_config_option", chosen);
  expect(changed).toMatchObject({
    configOptions: [
      { id: "mode", currentValue: "accept-edits" },
      { id: "model", currentValue: "anthropic/other" },
      { id: "effort" },
    ],
  });
  const raised = { sessionId, configId: "effort", value: "high" };
  expect(await editor.context.request("session/set_config_option", raised)).toMatchObject({
    configOptions: [
      { id: "mode" },
      { id: "model", currentValue: "anthropic/other" },
      { id: "effort", currentValue: "high" },
    ],
  });
  await expect(
    editor.context.request("session/set_config_option", { ...raised, value: "boundless" }),
  ).rejects.toMatchObject({ message: expect.stringContaining("boundless") });
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  expect(stage.exchanges.at(-1)?.body).toMatchObject({ model: "other", output_config: { effort: "high" } });
  await place.run(["run", "--resume", sessionId, "--permission-mode", "plan", "hello"], { env: stage.env });
  await editor.until("the new mode", () => editor.shown("current_mode_update").at(-1)?.currentModeId === "plan");
  await expect(editor.context.request("session/set_mode", { sessionId, modeId: "wild" })).rejects.toMatchObject({
    code: -32602,
  });
});

test("commands are offered: undo takes the last turn back, with its files, and redo brings it back", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "Written." }]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  expect(await editor.prompt(sessionId, "write it")).toBe("end_turn");
  const offered = editor.shown("available_commands_update").flatMap(({ availableCommands }) => availableCommands);
  expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(["compact", "undo", "redo"]));
  expect(await editor.prompt(sessionId, "/undo")).toBe("end_turn");
  expect(place.has("made.txt")).toBe(false);
  expect(await editor.prompt(sessionId, "/redo")).toBe("end_turn");
  expect(place.read("made.txt")).toBe("made\n");
  expect(editor.shown("agent_message_chunk").at(-1)?.content).toMatchObject({ text: expect.stringContaining("Done") });
});

test("sessions are listed by directory in pages, forked, closed and deleted", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  const where = { cwd: place.workspace, mcpServers: [] };
  const fork = await editor.context.request<{ readonly sessionId: string }>("session/fork", { sessionId, ...where });
  expect(fork.sessionId).not.toBe(sessionId);
  expect(await editor.prompt(fork.sessionId, "and now")).toBe("end_turn");
  const listed = await editor.context.request("session/list", { cwd: place.workspace });
  expect(listed.sessions.map((session) => session.sessionId)).toEqual([fork.sessionId, sessionId]);
  expect((await editor.context.request("session/list", { cwd: "/nowhere" })).sessions).toEqual([]);
  await editor.context.request("session/close", { sessionId });
  await expect(editor.prompt(sessionId, "closed")).rejects.toMatchObject({ code: -32002 });
  await editor.context.request("session/delete", { sessionId: fork.sessionId });
  const left = await editor.context.request("session/list", {});
  expect(left.sessions.map((session) => session.sessionId)).toEqual([sessionId]);
  const shown = editor.updates.length;
  expect(await editor.context.request("session/resume", { sessionId, ...where })).toMatchObject({
    modes: { currentModeId: "default" },
  });
  expect(editor.updates.slice(shown).filter(({ update }) => update.sessionUpdate.endsWith("chunk"))).toEqual([]);
});

test("with the role drive an editor runs turns and is not asked; with watch it changes nothing", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "Written." }]);
  const editor = await openEditor(place, stage, { args: ["--role", "drive"] });
  const sessionId = await editor.newSession();
  const prompted = editor.prompt(sessionId, "write it");
  await editor.until("the call", () => editor.shown("tool_call").length === 1);
  const { stdout } = await place.run(["interactions", "list"], { env: stage.env });
  expect(stdout).toContain("made.txt");
  expect(editor.permissions).toEqual([]);
  await editor.cancel(sessionId);
  expect(await prompted).toBe("cancelled");
  const watcher = await openEditor(place, stage, { args: ["--role", "watch"] });
  await watcher.load(sessionId);
  await expect(watcher.prompt(sessionId, "change it")).rejects.toMatchObject({ data: { code: "door.role" } });
});
