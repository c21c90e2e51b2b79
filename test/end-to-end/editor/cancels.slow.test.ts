import { SeededRandom } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { type Editor, openEditor, type Reply } from "./use-editor.ts";

const place = usePlace();
const cancels = 200;
const perSession = 20;
const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n", overwrite: true } };
const command = { name: "run_command", arguments: { argv: ["echo", "hello"] } };

test(`${cancels} prompts are cancelled in every phase: each is answered once, and nothing is asked twice`, async () => {
  const turn = [{ thinking: "hm", text: "I write.", tool_calls: [command, write] }, { text: "Done." }];
  const stage = await place.rehearse("anthropic", Array.from({ length: cancels * 4 }, () => turn).flat());
  const random = new SeededRandom(17);
  const editor = await openEditor(place, stage, { reply: () => answerLater(random) });
  let sessionId = "";
  let cancelled = 0;
  for (let number = 0; number < cancels; number += 1) {
    // oxlint-disable no-await-in-loop -- one prompt after the other
    if (number % perSession === 0) sessionId = await editor.newSession();
    const isReached = random.pick(phases)(editor);
    const prompted = editor.prompt(sessionId, `prompt ${number}`);
    await Promise.race([editor.until("the phase", isReached), prompted]);
    await editor.cancel(sessionId);
    if ((await prompted) === "cancelled") cancelled += 1;
    // oxlint-enable no-await-in-loop
  }
  expect(cancelled).toBeGreaterThan(cancels / 4);
  expect(answersOf(editor)).toEqual(Array.from({ length: cancels }, () => 1));
  const asked = editor.permissions.map(({ sessionId: id, toolCall }) => `${id} ${toolCall.toolCallId}`);
  expect(asked.length).toBeGreaterThan(cancels / 10);
  expect(new Set(asked).size).toBe(asked.length);
  expect(await editor.end()).toBe(0);
}, 600_000);

/** When a prompt is cancelled: each looks at what there is before it is sent, and says when its moment has come. */
const phases: readonly ((editor: Editor) => () => boolean)[] = [
  () => () => true,
  ({ lines }) => {
    const before = lines.length;
    return () => lines.length > before;
  },
  (editor) => {
    const before = editor.shown("agent_message_chunk").length;
    return () => editor.shown("agent_message_chunk").length > before;
  },
  (editor) => {
    const before = editor.shown("tool_call").length;
    return () => editor.shown("tool_call").length > before;
  },
  ({ permissions }) => {
    const before = permissions.length;
    return () => permissions.length > before;
  },
  (editor) => {
    const before = editor.shown("tool_call_update").length;
    return () => editor.shown("tool_call_update").length > before;
  },
];

/** Some moments later, as the client's queue has it. */
async function answerLater(random: SeededRandom): Promise<Reply> {
  for (let turns = random.below(20); turns > 0; turns -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- it is a wait
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return random.below(2) === 0 ? "allow_once" : "cancelled";
}

/** How often each prompt was answered. */
function answersOf({ lines }: Editor): readonly number[] {
  const answers = new Map<unknown, number>();
  for (const line of lines) {
    const { id, result } = JSON.parse(line);
    if (result?.stopReason !== undefined) answers.set(id, (answers.get(id) ?? 0) + 1);
  }
  return [...answers.values()];
}
