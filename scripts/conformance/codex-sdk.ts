import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformancePart } from "./part.ts";
import type { Stage, Surroundings } from "./surroundings.ts";

/** What is used of the SDK. */
interface Sdk {
  readonly Codex: new (options: object) => Client;
}
interface Client {
  startThread(options: object): Thread;
  resumeThread(id: string | null, options: object): Thread;
}
interface Thread {
  readonly id: string | null;
  run(input: unknown, options?: object): Promise<Turn>;
  runStreamed(input: unknown, options?: object): Promise<{ readonly events: AsyncIterable<Event> }>;
}
interface Turn {
  readonly finalResponse: string;
  readonly items: readonly { readonly type: string }[];
  readonly usage: { readonly output_tokens: number } | null;
}
interface Event {
  readonly type: string;
  readonly item?: { readonly type: string };
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

async function clientFor(surroundings: Surroundings, { env, url }: Stage): Promise<Client> {
  const { Codex } = await surroundings.load<Sdk>("@openai/codex-sdk", "dist/index.js");
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: _url, ...rest } = env;
  return new Codex({ codexPathOverride: surroundings.binary, apiKey, baseUrl: `${url}/v1`, env: rest });
}

function optionsIn({ workspace }: Surroundings): object {
  return {
    model: "openai/rehearsal",
    workingDirectory: workspace,
    skipGitRepoCheck: true,
    sandboxMode: "workspace-write",
    approvalPolicy: "never",
  };
}

export const codexSdk: ConformancePart = {
  name: "codex-sdk",
  packages: ["@openai/codex-sdk@0.163.0"],
  stories: {
    async "a turn, a second one in the same thread, streamed, and a third from another client"(surroundings) {
      const write = { name: "write_file", arguments: { path: "made.txt", content: "x\n" } };
      const run = { name: "run_command", arguments: { command: "echo hi" } };
      const stage = await surroundings.rehearse([
        { text: "first" },
        { text: "I work.", tool_calls: [run, write] },
        { text: "second" },
        { text: "third" },
      ]);
      const thread = (await clientFor(surroundings, stage)).startThread(optionsIn(surroundings));
      const first = await thread.run("one");
      deepStrictEqual([first.finalResponse, (first.usage?.output_tokens ?? 0) > 0], ["first", true]);
      const { events } = await thread.runStreamed("two");
      const types: string[] = [];
      for await (const { type, item } of events) types.push(item === undefined ? type : `${type} ${item.type}`);
      deepStrictEqual(types, [
        "thread.started",
        "turn.started",
        "item.completed agent_message",
        "item.started command_execution",
        "item.completed command_execution",
        "item.completed file_change",
        "item.completed agent_message",
        "turn.completed",
      ]);
      const again = (await clientFor(surroundings, stage)).resumeThread(thread.id, optionsIn(surroundings));
      deepStrictEqual([(await again.run("three")).finalResponse, again.id], ["third", thread.id]);
    },
    async "an image and a schema, which an answer fits in the end or fails by"(surroundings) {
      writeFileSync(join(surroundings.workspace, "seen.png"), Buffer.from(png, "base64"));
      const wrong = { text: "no JSON" };
      const stage = await surroundings.rehearse([wrong, { text: '{"ok":true}' }, wrong, wrong, wrong]);
      const thread = (await clientFor(surroundings, stage)).startThread(optionsIn(surroundings));
      const image = { type: "local_image", path: join(surroundings.workspace, "seen.png") };
      const outputSchema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
      const turn = await thread.run([{ type: "text", text: "look" }, image], { outputSchema });
      deepStrictEqual(turn.finalResponse, '{"ok":true}');
      ok(JSON.stringify(stage.rehearsal.exchanges[0]).includes(png.slice(0, 40)), "the image did not reach the model");
      await rejects(thread.run("again", { outputSchema }), /does not fit the schema/);
    },
    async "a turn that the program gives up is over, and the thread continues"(surroundings) {
      const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
      const stage = await surroundings.rehearse([stall, { text: "next" }]);
      const thread = (await clientFor(surroundings, stage)).startThread(optionsIn(surroundings));
      const giving = new AbortController();
      const { events } = await thread.runStreamed("one", { signal: giving.signal });
      await rejects(async () => {
        for await (const { type } of events) if (type === "turn.started") giving.abort();
      });
      ok(thread.id !== null, "the thread has no id");
      const stageAgain = await surroundings.rehearse([{ text: "next" }]);
      const again = (await clientFor(surroundings, stageAgain)).resumeThread(thread.id, optionsIn(surroundings));
      deepStrictEqual((await again.run("two")).finalResponse, "next");
    },
  },
};
