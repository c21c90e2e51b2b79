import { createServer, type IncomingMessage } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProvider } from "@capstan/providers";
import { expect, onTestFinished, test } from "vitest";
import { makeProvider } from "../src/make-provider.ts";
import { proxyAddress } from "../src/connection/proxy-address.ts";
import { resolveProvider } from "../src/resolve-provider.ts";
import { trustedCertificates } from "../src/connection/trusted-certificates.ts";
import { configPlace } from "../../settings/test/config/config-place.ts";

test("a proxy is written as people write it; what cannot be spoken is refused with what can", () => {
  expect([null, "", " "].map(proxyAddress)).toEqual([undefined, undefined, undefined]);
  expect(proxyAddress("proxy:3128")).toBe("http://proxy:3128");
  expect(proxyAddress("me:secret@proxy:3128")).toBe("http://me:secret@proxy:3128");
  expect(proxyAddress("https://proxy")).toBe("https://proxy");
  expect(() => proxyAddress("socks5://me:secret@proxy:1080")).toThrow(
    expect.objectContaining({
      code: "config.invalid",
      message: "network.proxy speaks socks5; only http and https proxies can be used",
    }),
  );
  expect(() => proxyAddress("http://:secret@")).toThrow(expect.objectContaining({ code: "config.invalid" }));
});

test("authorities of the configuration are trusted beside those Node was given", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-ca-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [own, extra] = [join(folder, "own.pem"), join(folder, "extra.pem")];
  writeFileSync(own, "OWN\n");
  writeFileSync(extra, "EXTRA\n");
  expect(await trustedCertificates(null, { NODE_EXTRA_CA_CERTS: extra })).toBe(undefined);
  expect(await trustedCertificates(own, {})).toBe("OWN\n");
  expect(await trustedCertificates(own, { NODE_EXTRA_CA_CERTS: extra })).toBe("OWN\nEXTRA\n");
  expect(await trustedCertificates(own, { NODE_EXTRA_CA_CERTS: own })).toBe("OWN\n");
  expect(await trustedCertificates(own, { NODE_EXTRA_CA_CERTS: join(folder, "gone") })).toBe("OWN\n");
  await expect(trustedCertificates(join(folder, "gone"), {})).rejects.toMatchObject({ code: "config.unreadable" });
});

test("what is configured about a provider is what its server sees", async () => {
  const server = createServer((request, response) => {
    seen = { url: request.url, headers: request.headers };
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => response.writeHead(400).end("{}"));
  });
  let seen: Pick<IncomingMessage, "url" | "headers"> | undefined;
  let body = "";
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const user = `[providers.azure]
wire = "openai-chat"
base_url = "http://127.0.0.1:${port}/openai/deployments/gpt?api-version=2024-10-21"
api_key = "secret-key"
key_header = "api-key"
[providers.azure.body]
seed = 7
[providers.azure.dialect]
system_role = "developer"
`;
  const loaded = await configPlace({ user }).load();
  const resolved = resolveProvider("azure", loaded.values, {});
  const provider = await makeProvider(resolved, { loaded, env: {} }, { createProvider });
  const request = {
    system: "Be brief.",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "hello" }] }],
    tools: [],
    maxOutputTokens: 100,
  };
  const { name, wire, options } = resolved;
  const model = { provider: name, id: "gpt", wire, contextWindowTokens: 1000, maxOutputTokens: 100, options };
  const answer = provider.stream(request, model, new AbortController().signal)[Symbol.asyncIterator]();
  await expect(answer.next()).rejects.toMatchObject({ code: "provider.http" });
  provider.close();
  expect(seen).toMatchObject({
    url: "/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
    headers: { "api-key": "secret-key" },
  });
  expect(Object.keys(seen?.headers ?? {})).not.toContain("authorization");
  expect(JSON.parse(body)).toMatchObject({ seed: 7, messages: [{ role: "developer" }, { role: "user" }] });
  expect(JSON.stringify(options)).not.toContain("seed");
});

test("a proxy that cannot be used is an obstacle for far servers only", async () => {
  const loaded = await configPlace({
    user: `[providers.near]
wire = "openai-chat"
base_url = "http://127.0.0.1:1/v1"
[providers.far]
wire = "openai-chat"
base_url = "https://far.example/v1"
`,
  }).load({ env: { ALL_PROXY: "socks5://127.0.0.1:1080" } });
  const make = async (name: string): Promise<string> => {
    const provider = await makeProvider(
      resolveProvider(name, loaded.values, {}),
      { loaded, env: {} },
      { createProvider },
    );
    provider.close();
    return provider.wire;
  };
  expect(await make("near")).toBe("openai-chat");
  await expect(make("far")).rejects.toMatchObject({ code: "config.invalid" });
});
