import type { ModelProvider } from "@capstan/ports";
import type { AssistantMessage, JsonObject, Message, ModelFinish } from "@capstan/protocol";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { failureOf, finishOf, type Received, joined, listen, model, provide } from "../fixtures/calls.ts";
import { asking, assistant, call, foreign, ownGoogle, result, tool, user } from "../fixtures/conversations.ts";

async function rehearse(turns: readonly JsonObject[]): Promise<Rehearsal> {
  const file = JSON.stringify({ name: "gemini", turns });
  const server = await startRehearsal({ scenario: parseScenario(file, "gemini.json") });
  onTestFinished(() => server.close());
  return server;
}

async function answer(provider: ModelProvider, messages: readonly Message[], id: string): Promise<Received> {
  const request = { ...asking(...messages), tools: [tool, { ...tool, name: "search" }] };
  const stream: ModelProvider["stream"] = (_request, _model, signal) =>
    provider.stream(request, model({}, { id, wire: "google" }), signal);
  return listen({ ...provider, close: () => undefined, stream });
}

test.each(["gemini-3-pro-preview", "gemini-2.5-flash"])(
  "ten turns with thoughts and parallel calls: %s",
  async (id) => {
    const calling = {
      thinking: "I should look 🔎 at both",
      text: "Looking.",
      tool_calls: [
        { name: "read_file", arguments: { path: "ä.ts" } },
        { name: "search", arguments: {} },
        { name: "read_file", arguments: '{"path": ' },
      ],
      piece_bytes: 5,
      chunk_bytes: 11,
    };
    const saying = { thinking: "Nothing more to do", text: "Done 😀.", piece_bytes: 3 };
    const server = await rehearse(Array.from({ length: 10 }, () => [calling, saying]).flat());
    const provider = provide("google", server.url);
    const messages: Message[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      messages.push(user(`do ${turn}`));
      const first = finishOf(await answer(provider, messages, id));
      expect([first.reason, calls(first)]).toEqual(["tool-calls", ["read_file", "search", "read_file"]]);
      messages.push(first.message, resultsFor(first.message));
      const second = finishOf(await answer(provider, messages, id));
      expect([second.reason, second.message.content.at(1)]).toEqual(["stop", { type: "text", text: "Done 😀." }]);
      messages.push(second.message);
    }
    provider.close();
    expect([server.unused(), server.exchanges.filter(({ problem }) => problem !== undefined)]).toEqual([0, []]);
  },
);

function calls(finish: ModelFinish): readonly string[] {
  return finish.message.content.flatMap((block) => (block.type === "tool-call" ? [block.name] : []));
}

function resultsFor(message: AssistantMessage): Message {
  const blocks = message.content.filter((block) => block.type === "tool-call");
  return user(...blocks.map((block, at) => result(block.callId, at === 1 ? "" : "found", at === 2)));
}

test("a conversation begun with another vendor continues, and back to Gemini without loss", async () => {
  const calling = { thinking: "hm", tool_calls: [{ name: "read_file", arguments: {} }] };
  const server = await rehearse([calling, { text: "and on" }]);
  const provider = provide("google", server.url);
  const begin = [
    user("q"),
    assistant(foreign, { type: "thinking", text: "t", signature: "Zm9y" }, call("toolu_1")),
    user(result("toolu_1", "r")),
  ];
  const own = finishOf(await answer(provider, begin, "gemini-3-pro-preview"));
  const elsewhere = [assistant(foreign, call("x"), call("y")), user(result("x", "r"), result("y", "r"))];
  const messages = [...begin, own.message, resultsFor(own.message), ...elsewhere];
  expect(finishOf(await answer(provider, messages, "gemini-3-pro-preview")).reason).toBe("stop");
  provider.close();
});

test("a lost signature is refused by the rehearsal, as by the vendor", async () => {
  const server = await rehearse([
    { thinking: "hm", tool_calls: [{ name: "read_file", arguments: {} }] },
    { text: "x" },
  ]);
  const provider = provide("google", server.url);
  const own = finishOf(await answer(provider, [user("q")], "gemini-3-pro-preview"));
  const content = own.message.content.map((block) =>
    block.type === "tool-call" ? { ...call(block.callId, block.name) } : block,
  );
  const lost = assistant(ownGoogle, ...content);
  const received = await answer(provider, [user("q"), lost, resultsFor(own.message)], "gemini-3-pro-preview");
  provider.close();
  expect(failureOf(received)).toMatchObject({ status: 400, vendorCode: "INVALID_ARGUMENT", retryable: false });
});

test("faults end as failures the engine can act on, and the next try is whole", async () => {
  const turn = { text: "It is said and done.", piece_bytes: 4 };
  await checkFault(
    { type: "http", status: 429, retry_after: "2" },
    { status: 429, retryAfterMs: 2000, vendorCode: "RESOURCE_EXHAUSTED" },
  );
  await checkFault({ type: "http", status: 503 }, { status: 503, vendorCode: "UNAVAILABLE" });
  await checkFault({ type: "reset" }, { code: "provider.network" });
  await checkFault({ type: "cut", after_bytes: 400 }, { code: "provider.stream" });
  await checkFault({ type: "end", after_bytes: 400 }, { code: "provider.stream" });
  await checkFault({ type: "garbage", after_bytes: 400 }, { code: "provider.protocol" });
  await checkFault({ type: "error-event", after_bytes: 900 }, { code: "provider.stream", vendorCode: "UNAVAILABLE" });

  async function checkFault(fault: JsonObject, expected: JsonObject): Promise<void> {
    const server = await rehearse([{ ...turn, fault }]);
    const provider = provide("google", server.url);
    const failed = await answer(provider, [user("q")], "gemini-3-pro-preview");
    expect(failureOf(failed), `fault ${JSON.stringify(fault)}`).toMatchObject({ retryable: true, ...expected });
    expect(finishOf(await answer(provider, [user("q")], "gemini-3-pro-preview")).reason).toBe("stop");
    provider.close();
  }
});

test("a cancel in mid-answer closes the connection and throws its reason", async () => {
  const server = await rehearse([
    { text: "It is said and done.", piece_bytes: 4, fault: { type: "stall", after_bytes: 700 } },
  ]);
  const provider = provide("google", server.url);
  const abort = new AbortController();
  const seen: string[] = [];
  const request = asking(user("q"));
  const reading = (async () => {
    for await (const batch of provider.stream(request, model({}, { id: "gemini-3-pro-preview" }), abort.signal)) {
      seen.push(joined(batch).text);
      abort.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect("It is said and done.".startsWith(seen.join("")) && seen.join("") !== "").toBe(true);
  provider.close();
});

test("base URLs with and without a version lead to the same place; one that has its own keeps it", async () => {
  const server = await rehearse([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]);
  for (const base of ["", "/", "/v1beta", "/v1beta/models/"]) {
    const provider = provide("google", `${server.url}${base}`);
    expect(finishOf(await answer(provider, [user("q")], "models/gemini-3-pro-preview")).reason, `base ${base}`).toBe(
      "stop",
    );
    provider.close();
  }
  const elsewhere = provide("google", `${server.url}/v1/projects/p/locations/l/publishers/google`);
  await answer(elsewhere, [user("q")], "gemini-3-pro-preview");
  elsewhere.close();
  expect(server.exchanges.map(({ path }) => path)).toEqual([
    ...Array.from({ length: 4 }, () => "/v1beta/models/gemini-3-pro-preview:streamGenerateContent"),
    "/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro-preview:streamGenerateContent",
  ]);
});
