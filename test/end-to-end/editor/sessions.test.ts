import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { foldUpdates } from "../../../frontends/acp/test/updates/fold-updates.ts";
import { openEditor } from "./use-editor.ts";

const place = usePlace();
const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const edit = { name: "edit_file", arguments: { path: "made.txt", old_string: "made", new_string: "changed" } };
const plan = { name: "update_plan", arguments: { plan: [{ step: "look around", status: "in_progress" }] } };

test("an editor holds a session: the prompt runs, what is asked is allowed, and loading it in another process tells the same", async () => {
  const stage = await place.rehearse("anthropic", [
    { thinking: "what is there", text: "I will write.", tool_calls: [plan, write] },
    { tool_calls: [edit, { name: "run_command", arguments: { argv: ["echo", "hello"] } }] },
    { text: "Done." },
    { text: "Still here." },
  ]);
  const first = await openEditor(place, stage);
  const sessionId = await first.newSession();
  expect(await first.prompt(sessionId, "write it")).toBe("end_turn");
  expect(place.read("made.txt")).toBe("changed\n");
  expect(first.permissions.map(({ toolCall }) => toolCall.title)).toEqual([
    expect.stringContaining("made.txt"),
    expect.stringContaining("made.txt"),
  ]);
  const live = foldUpdates(first.updates.map(({ update }) => update));
  expect(Object.values(live.calls)).toMatchObject([
    { kind: "think", status: "completed" },
    {
      kind: "edit",
      status: "completed",
      locations: [{ path: `${place.workspace}/made.txt` }],
      content: [
        { type: "content" },
        { type: "diff", path: `${place.workspace}/made.txt`, oldText: null, newText: "made\n" },
      ],
    },
    { kind: "edit", content: [{ type: "content" }, { type: "diff", oldText: "made\n", newText: "changed\n" }] },
    { kind: "execute", title: "echo hello", rawOutput: { exitCode: 0 } },
  ]);
  expect(live).toMatchObject({ plan: [{ content: "look around", status: "in_progress" }], title: "write it" });
  expect(await first.end()).toBe(0);

  const second = await openEditor(place, stage);
  const listed = await second.context.request("session/list", { cwd: place.workspace });
  expect(listed.sessions).toMatchObject([{ sessionId, title: "write it", cwd: place.workspace }]);
  expect(await second.load(sessionId)).toMatchObject({ modes: { currentModeId: "default" } });
  const replayed = foldUpdates(second.updates.map(({ update }) => update));
  const [own] = replayed.order;
  expect(replayed.messages[own ?? ""]).toBe("write it");
  const { [own ?? ""]: _words, ...messages } = replayed.messages;
  expect({ ...replayed, messages, order: replayed.order.slice(1) }).toEqual(live);
  expect(await second.prompt(sessionId, "and now?")).toBe("end_turn");
  expect(second.shown("agent_message_chunk").at(-1)).toMatchObject({ content: { text: "Still here." } });
  expect(await second.end()).toBe(0);
});

slowTest(
  "a question that was open when the process was killed is asked again, once, in the next one, and the turn continues",
  async () => {
    const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "Written." }]);
    const first = await openEditor(place, stage, { reply: () => new Promise(() => undefined) });
    const sessionId = await first.newSession();
    void first.prompt(sessionId, "write it").catch(() => undefined);
    await first.until("the question", () => first.permissions.length === 1);
    first.process.kill("SIGKILL");
    await first.process.ended;
    const second = await openEditor(place, stage);
    await second.load(sessionId);
    await second.until("the end", () => second.shown("agent_message_chunk").length === 1);
    expect(second.permissions.map(({ toolCall }) => toolCall.toolCallId)).toEqual(
      first.permissions.map(({ toolCall }) => toolCall.toolCallId),
    );
    expect(place.read("made.txt")).toBe("made\n");
    expect(await second.end()).toBe(0);
  },
);

slowTest("cancelled while the model answers or a command runs, the prompt ends cancelled", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: "never", delay_ms: 60_000 },
    { tool_calls: [{ name: "run_command", arguments: { argv: ["sleep", "60"] } }] },
    { text: "Hello." },
  ]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  // The list of models, then the prompt.
  await stage.requests(1);
  const waiting = editor.prompt(sessionId, "think");
  await stage.requests(2);
  await editor.cancel(sessionId);
  expect(await waiting).toBe("cancelled");
  const running = editor.prompt(sessionId, "sleep");
  await editor.until("the command", () =>
    editor.shown("tool_call_update").some(({ status }) => status === "in_progress"),
  );
  await editor.cancel(sessionId);
  expect(await running).toBe("cancelled");
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
});
