import type { ModelOffer } from "@capstan/protocol";
import { expect, test } from "vitest";
import { provide, testKey, type WireName } from "../../fixtures/calls.ts";
import { type Answer, replying, serve, type WireServer } from "../../fixtures/wire-server.ts";

const json = { "content-type": "application/json" };

async function list(wire: WireName, server: WireServer, path = ""): Promise<readonly ModelOffer[]> {
  const provider = provide(wire, `${server.url}${path}`);
  try {
    return (await provider.models?.(new AbortController().signal)) ?? [];
  } finally {
    provider.close();
  }
}

async function failure(wire: WireName, answer: Answer): Promise<unknown> {
  return list(wire, await serve(answer)).then(
    () => "listed",
    ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
  );
}

/** One answer a request, the last one from then on. */
function paging(...pages: readonly object[]): Answer {
  let page = 0;
  return (response) => {
    response.writeHead(200, json);
    response.end(JSON.stringify(pages[Math.min(page, pages.length - 1)]));
    page += 1;
  };
}

test("Anthropic's list is read page by page, with what it says about each model", async () => {
  const server = await serve(
    paging(
      {
        data: [
          {
            type: "model",
            id: "claude-a",
            display_name: "Claude A",
            lifecycle: "active",
            max_input_tokens: 1_000_000,
            max_tokens: 128_000,
            capabilities: { image_input: { supported: true }, pdf_input: { supported: false } },
          },
          { type: "model", id: "claude-gone", display_name: "Claude Gone", lifecycle: "retired" },
        ],
        has_more: true,
        first_id: "claude-a",
        last_id: "claude gone",
      },
      { data: [{ type: "model", id: "claude-b", max_input_tokens: null, max_tokens: null }], has_more: false },
    ),
  );
  expect(await list("anthropic", server)).toEqual([
    { id: "claude-a", name: "Claude A", contextWindowTokens: 1_000_000, maxOutputTokens: 128_000, inputs: ["image"] },
    { id: "claude-b" },
  ]);
  expect(server.received.map(({ path }) => path)).toEqual([
    "/v1/models?limit=1000",
    "/v1/models?limit=1000&after_id=claude%20gone",
  ]);
});

test("a list is asked for with the key, without a body, and over one connection", async () => {
  const server = await serve(paging({ data: [], has_more: true, last_id: "a" }, { data: [], has_more: false }));
  await list("anthropic", server);
  const [first] = server.received;
  expect(first?.headers).toMatchObject({ "x-api-key": testKey, "anthropic-version": "2023-06-01" });
  expect(first?.headers.accept).toBe("application/json");
  expect([first?.body, first?.headers["content-type"], first?.headers["content-length"]]).toEqual([
    "",
    undefined,
    undefined,
  ]);
  expect([server.received.length, server.connections()]).toEqual([2, 1]);
});

test("Gemini's list is read page by page, without models that generate no content", async () => {
  const server = await serve(
    paging(
      {
        models: [
          {
            name: "models/gemini-a",
            displayName: "Gemini A",
            inputTokenLimit: 1_048_576,
            outputTokenLimit: 65_536,
            supportedGenerationMethods: ["generateContent", "countTokens"],
          },
          { name: "models/embedder", supportedGenerationMethods: ["embedContent"] },
        ],
        nextPageToken: "t/2",
      },
      { models: [{ name: "models/gemini-b", supportedGenerationMethods: ["generateContent"] }] },
    ),
  );
  expect(await list("google", server)).toEqual([
    { id: "gemini-a", name: "Gemini A", contextWindowTokens: 1_048_576, maxOutputTokens: 65_536 },
    { id: "gemini-b" },
  ]);
  expect(server.received.map(({ path }) => path)).toEqual([
    "/v1beta/models?pageSize=1000",
    "/v1beta/models?pageSize=1000&pageToken=t%2F2",
  ]);
});

/** What one model of an OpenAI-style list is read as, on both of OpenAI's wires. */
async function checkOpenAi(model: object, expected: object): Promise<void> {
  for (const wire of ["openai-chat", "openai-responses"] as const) {
    const server = await serve(replying(200, json, JSON.stringify({ object: "list", data: [model] })));
    expect(await list(wire, server, "/v1")).toEqual([expected]);
    expect(server.received.map(({ path }) => path)).toEqual(["/v1/models"]);
  }
}

test("OpenAI's list holds ids; other servers' windows, limits, prices and inputs are read where they give them", async () => {
  await checkOpenAi({ id: "gpt-a", object: "model", created: 1, owned_by: "openai" }, { id: "gpt-a" });
  await checkOpenAi({ id: "vllm-a", max_model_len: 32_768 }, { id: "vllm-a", contextWindowTokens: 32_768 });
  await checkOpenAi({ id: "llama-a", meta: { n_ctx_train: 131_072 } }, { id: "llama-a", contextWindowTokens: 131_072 });
  await checkOpenAi(
    { id: "groq-a", context_window: 8192, max_completion_tokens: 4096 },
    { id: "groq-a", contextWindowTokens: 8192, maxOutputTokens: 4096 },
  );
  await checkOpenAi(
    {
      id: "vendor/router-a",
      name: "Vendor: A",
      context_length: 200_000,
      architecture: { input_modalities: ["text", "image", "file", "smell"] },
      top_provider: { max_completion_tokens: 64_000 },
      pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003", image: "0.0048" },
    },
    {
      id: "vendor/router-a",
      name: "Vendor: A",
      contextWindowTokens: 200_000,
      maxOutputTokens: 64_000,
      inputs: ["image", "pdf"],
      prices: { input: 3, output: 15, cachedInput: 0.3 },
    },
  );
  await checkOpenAi({ id: "auto", pricing: { prompt: "-1", completion: "-1" } }, { id: "auto" });
});

test("what is no model is left out, and a bare array is a list, too", async () => {
  const models = [{ id: "a", context_length: 0 }, { id: 7 }, null, "b", { id: "" }, { id: "x".repeat(1000) }, [], {}];
  const server = await serve(replying(200, json, JSON.stringify(models)));
  expect(await list("openai-chat", server)).toEqual([{ id: "a" }]);
});

test("a server that names the same next page again and again is asked twice, one that continues without end so often as its limit says", async () => {
  const same = await serve(paging({ data: [{ id: "a" }], has_more: true, last_id: "a" }));
  await list("anthropic", same);
  expect(same.received.length).toBe(2);
  let page = 0;
  const endless = await serve((response) => {
    page += 1;
    response.writeHead(200, json);
    response.end(JSON.stringify({ models: [], nextPageToken: String(page) }));
  });
  expect(await list("google", endless)).toEqual([]);
  expect(endless.received.length).toBe(20);
});

test("a model is listed once, and any number of entries is read", async () => {
  const [first, last] = [{ id: "a", context_length: 1000 }, { id: "b" }];
  const again = Array.from({ length: 500_000 }, () => first);
  const data = [first, ...again, last];
  const expected = [{ id: "a", contextWindowTokens: 1000 }, { id: "b" }];
  expect(await list("openai-chat", await serve(paging({ data })))).toEqual(expected);
});

test("a refusal, a redirect, a page of a proxy and JSON of another kind are failures that say so", async () => {
  expect(await failure("anthropic", replying(401, json, '{"error":{"message":"invalid x-api-key"}}'))).toEqual({
    code: "provider.auth",
    message: "test: answered 401: invalid x-api-key",
  });
  expect(await failure("openai-chat", replying(302, { location: "https://elsewhere.example/x" }, ""))).toMatchObject({
    code: "provider.http",
    message: expect.stringContaining("redirects to https://elsewhere.example"),
  });
  expect(await failure("openai-chat", replying(200, { "content-type": "text/html" }, "<html>hello</html>"))).toEqual({
    code: "provider.protocol",
    message: "test: answered with something that is not JSON",
  });
  expect(await failure("google", replying(200, json, '{"data":[]}'))).toEqual({
    code: "provider.protocol",
    message: "test: answered with JSON that is no list of models",
  });
});

test("an abort ends the question at once, with its own reason", async () => {
  const stop = new AbortController();
  const server = await serve(() => stop.abort(new Error("enough")));
  const provider = provide("google", server.url);
  await expect(provider.models?.(stop.signal)).rejects.toThrow("enough");
  await server.closed;
  provider.close();
});
