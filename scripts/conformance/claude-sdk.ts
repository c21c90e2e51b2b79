import { deepStrictEqual, ok } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformancePart } from "./part.ts";
import type { Stage, Surroundings } from "./surroundings.ts";

/** What is used of the SDK. */
interface Sdk {
  query(request: { readonly prompt: unknown; readonly options: object }): Query;
  createSdkMcpServer(options: object): object;
  tool(name: string, description: string, schema: object, run: (args: Sum) => Promise<object>): object;
}
interface Query extends AsyncIterable<Message> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: string): Promise<void>;
  setModel(model: string): Promise<void>;
  supportedCommands(): Promise<unknown>;
  mcpServerStatus(): Promise<readonly { readonly name: string; readonly status: string }[]>;
  getContextUsage(): Promise<{ readonly totalTokens: number }>;
}
interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly permissionMode?: string;
  readonly model?: string;
  readonly event?: { readonly type: string };
  readonly errors?: readonly string[];
}
interface Sum {
  readonly a: number;
  readonly b: number;
}
interface Zod {
  readonly z: { number(): object };
}

interface Program {
  readonly sdk: Sdk;
  readonly options: object;
}

async function programFor(surroundings: Surroundings, { env }: Stage): Promise<Program> {
  const sdk = await surroundings.load<Sdk>("@anthropic-ai/claude-agent-sdk", "sdk.mjs");
  const { binary: pathToClaudeCodeExecutable, workspace: cwd } = surroundings;
  return { sdk, options: { pathToClaudeCodeExecutable, cwd, env, model: "anthropic/rehearsal" } };
}

async function all(messages: AsyncIterable<Message>): Promise<readonly Message[]> {
  const found: Message[] = [];
  for await (const message of messages) found.push(message);
  return found;
}

function resultOf(messages: readonly Message[]): Message {
  const results = messages.filter(({ type }) => type === "result");
  deepStrictEqual(results.length, 1);
  return results[0] ?? { type: "none" };
}

function writing(path: string): object {
  return { tool_calls: [{ name: "Write", arguments: { file_path: path, content: "x\n" } }] };
}

/** Messages that a test hands on one by one. */
class Prompts implements AsyncIterable<object> {
  #waiting: ((text: string | null) => void)[] = [];
  #ready: (string | null)[] = [];

  say(text: string | null): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#ready.push(text);
    else waiting(text);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<object> {
    for (;;) {
      const ready = this.#ready.shift();
      const text = ready === undefined ? await new Promise<string | null>((done) => this.#waiting.push(done)) : ready;
      if (text === null) return;
      yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" };
    }
  }
}

export const claudeSdk: ConformancePart = {
  name: "claude-sdk",
  packages: ["@anthropic-ai/claude-agent-sdk@0.3.330", "zod@4.1.12"],
  stories: {
    async "a prompt, its pieces, and the session resumed and forked by other processes"(surroundings) {
      const turns = ["hello", "resumed", "forked", "resumed again"].map((text) => ({ text }));
      const { sdk, options } = await programFor(surroundings, await surroundings.rehearse(turns));
      const first = await all(sdk.query({ prompt: "hi", options: { ...options, includePartialMessages: true } }));
      const { session_id: id, result } = resultOf(first);
      deepStrictEqual(result, "hello");
      ok(
        first.some(({ event }) => event?.type === "content_block_delta"),
        "no piece was shown",
      );
      const resumed = resultOf(await all(sdk.query({ prompt: "again", options: { ...options, resume: id } })));
      deepStrictEqual([resumed.result, resumed.session_id], ["resumed", id]);
      const forking = { ...options, resume: id, forkSession: true };
      const forked = resultOf(await all(sdk.query({ prompt: "aside", options: forking })));
      deepStrictEqual([forked.result, forked.session_id === id], ["forked", false]);
      const back = resultOf(await all(sdk.query({ prompt: "back", options: { ...options, resume: id } })));
      deepStrictEqual([back.result, back.session_id], ["resumed again", id]);
    },
    async "streamed prompts: allowed, denied, allowed with other input"(surroundings) {
      const turns = ["a", "b", "c"].flatMap((name) => [writing(`${name}.txt`), { text: name }]);
      const { sdk, options } = await programFor(surroundings, await surroundings.rehearse(turns));
      const asked: unknown[] = [];
      const canUseTool = async (name: string, input: object): Promise<object> => {
        asked.push([name, input]);
        await Promise.resolve();
        if (asked.length === 2) return { behavior: "deny", message: "not b" };
        return { behavior: "allow", updatedInput: asked.length === 3 ? { ...input, content: "other\n" } : input };
      };
      const prompts = new Prompts();
      const names = ["b", "c", null];
      prompts.say("a");
      for await (const { type } of sdk.query({ prompt: prompts, options: { ...options, canUseTool } }))
        if (type === "result") prompts.say(names.shift() ?? null);
      const made = ["a", "b", "c"].map((name) => join(surroundings.workspace, `${name}.txt`));
      deepStrictEqual(
        made.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null)),
        ["x\n", null, "other\n"],
      );
      // The changed call is another one, and is asked about as such.
      deepStrictEqual(asked.length, 4);
    },
    async "a server of the program, called once a rule allows it"(surroundings) {
      const call = { tool_calls: [{ name: "mcp__calc__add", arguments: { a: 1, b: 2 } }] };
      const { sdk, options } = await programFor(surroundings, await surroundings.rehearse([call, { text: "three" }]));
      const { z } = await surroundings.load<Zod>("zod", "index.js");
      const sums: number[] = [];
      const add = sdk.tool("add", "adds", { a: z.number(), b: z.number() }, async ({ a, b }) => {
        sums.push(a + b);
        return await Promise.resolve({ content: [{ type: "text", text: String(a + b) }] });
      });
      const calc = sdk.createSdkMcpServer({ name: "calc", version: "1.0.0", tools: [add] });
      const serving = { ...options, mcpServers: { calc }, allowedTools: ["mcp__calc__add"] };
      deepStrictEqual(resultOf(await all(sdk.query({ prompt: "add", options: serving }))).result, "three");
      deepStrictEqual(sums, [3]);
    },
    async "interrupted; mode and model changed; status and context asked for"(surroundings) {
      const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
      const { sdk, options } = await programFor(surroundings, await surroundings.rehearse([stall]));
      const prompts = new Prompts();
      const query = sdk.query({ prompt: prompts, options: { ...options, includePartialMessages: true } });
      prompts.say("go");
      const seen: Message[] = [];
      let isInterrupted = false;
      for await (const message of query) {
        seen.push(message);
        if (message.type === "stream_event" && !isInterrupted) {
          isInterrupted = true;
          await query.interrupt();
        }
        if (message.type !== "result") continue;
        if (message.subtype === "success") break;
        await query.setPermissionMode("acceptEdits");
        await query.setModel("anthropic/other");
        deepStrictEqual(await query.mcpServerStatus(), []);
        ok((await query.getContextUsage()).totalTokens > 0, "the context has no size");
        prompts.say("again");
      }
      const results = seen.filter(({ type }) => type === "result");
      deepStrictEqual(
        results.map(({ subtype }) => subtype),
        ["error_during_execution", "success"],
      );
      const init = seen.findLast(({ subtype }) => subtype === "init");
      deepStrictEqual([init?.permissionMode, init?.model], ["acceptEdits", "anthropic/other"]);
      prompts.say(null);
    },
    async "an answer in a schema; a turn's limit; a budget"(surroundings) {
      const turns = [{ text: '{"ok":true}' }, writing("d.txt"), { text: "unused" }];
      const { sdk, options } = await programFor(surroundings, await surroundings.rehearse(turns));
      const outputFormat = { type: "json_schema", schema: { type: "object", required: ["ok"] } };
      const fits = resultOf(await all(sdk.query({ prompt: "json", options: { ...options, outputFormat } })));
      deepStrictEqual([fits.subtype, fits.structured_output], ["success", { ok: true }]);
      const limited = { ...options, maxTurns: 1, permissionMode: "acceptEdits" };
      deepStrictEqual(await failureOf(sdk, { prompt: "write", options: limited }), "error_max_turns");
    },
    async "hooks of the program decide about calls"(surroundings) {
      const turns = [{ tool_calls: [{ name: "Bash", arguments: { command: "ls" } }] }, { text: "refused" }];
      const stage = await surroundings.rehearse(turns);
      const { sdk, options } = await programFor(surroundings, stage);
      const asked: unknown[] = [];
      const no = {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not today",
      } as const;
      const guard = async ({ hook_event_name: event }: { readonly hook_event_name: string }): Promise<object> => {
        asked.push(event);
        return await Promise.resolve({ hookSpecificOutput: no });
      };
      const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [guard] }] };
      const result = resultOf(await all(sdk.query({ prompt: "go", options: { ...options, hooks } })));
      deepStrictEqual([result.result, asked], ["refused", ["PreToolUse"]]);
      ok(JSON.stringify(stage.rehearsal.exchanges.at(-1)?.body).includes("not today"));
    },
  },
};

/** What a query fails with: its result's subtype, or the error that the SDK throws. */
async function failureOf(sdk: Sdk, request: Parameters<Sdk["query"]>[0]): Promise<string> {
  let failure = "";
  try {
    for await (const { type, subtype = "", errors = [] } of sdk.query(request))
      if (type === "result") failure = subtype === "error_during_execution" ? errors.join("\n") : subtype;
  } catch (error) {
    if (failure === "") failure = error instanceof Error ? error.message : String(error);
  }
  return failure;
}
