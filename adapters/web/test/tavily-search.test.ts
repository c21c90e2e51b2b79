import { type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, onTestFinished } from "vitest";
import { maxExcerptLength } from "../src/limits.ts";
import { openWeb } from "../src/open-web.ts";
import { TavilySearch } from "../src/tavily-search.ts";
import { listen, publicAddress } from "./support/web-place.ts";

interface Service {
  readonly search: TavilySearch;
  readonly asked: { readonly headers: IncomingMessage["headers"]; readonly body: string }[];
}

/** A service over TLS, with an authority of its own. */
async function service(status: number, body: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=api.tavily.com", "-addext", "subjectAltName=DNS:api.tavily.com"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  const ca = readFileSync(cert, "utf8");
  const asked: Service["asked"] = [];
  const server = createSecureServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const network = {
    resolve: async () => await Promise.resolve([publicAddress]),
    dial: () => ({ host: "127.0.0.1", port }),
    ca,
    userAgent: "capstan-webfetch/1.0",
  };
  return { search: new TavilySearch({ key: "the-key", network }), asked };
}

const signal = new AbortController().signal;

test("a search is one question to the service, checked by its certificate, with the key in a header", async () => {
  const results = [
    { title: "One", url: "https://a.example/", content: "first" },
    { title: "Two", url: "no address", content: "second" },
    { url: "https://b.example/" },
  ];
  const { search, asked } = await service(200, JSON.stringify({ results }));
  expect(await search.search("some words", 5, signal)).toEqual({
    type: "found",
    hits: [
      { title: "One", url: "https://a.example/", excerpt: "first" },
      { title: "", url: "https://b.example/", excerpt: "" },
    ],
  });
  expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ query: "some words", max_results: 5 }]);
  expect(asked[0]?.headers.authorization).toBe("Bearer the-key");
  expect(await search.search("again", 1, signal)).toMatchObject({ hits: [{ title: "One" }] });
});

test.each([
  [401, "{}", "http_4xx"],
  [404, "{}", "http_4xx"],
  [429, "{}", "http_4xx"],
  [500, "{}", "http_5xx"],
  [200, "{", "extraction_failed"],
  [200, "{}", "extraction_failed"],
])("status %d with %j is %s", async (status, body, code) => {
  const { search } = await service(status, body);
  expect(await search.search("x", 5, signal)).toMatchObject({ type: "failed", code });
});

test.each([401, 403])(
  "a key that is refused with %d is named with what to check, any other status is not blamed on it",
  async (status) => {
    const { search } = await service(status, "{}");
    expect(await search.search("x", 5, signal)).toMatchObject({ message: expect.stringContaining("TAVILY_API_KEY") });
    const { search: missing } = await service(404, "{}");
    expect(JSON.stringify(await missing.search("x", 5, signal))).not.toContain("TAVILY_API_KEY");
  },
);

test("a search is there only with a key in the environment", () => {
  const config = {
    network: { proxy: null, ca_file: null },
    webfetch: { ports: ["443"], timeout_seconds: 1, max_bytes: 1000, robots_fail_open: false },
  };
  expect(openWeb(config, {}, "/nowhere").webSearch).toBeUndefined();
  expect(openWeb(config, { TAVILY_API_KEY: "" }, "/nowhere").webSearch).toBeUndefined();
  expect(openWeb(config, { TAVILY_API_KEY: "x" }, "/nowhere").webSearch?.host).toBe("api.tavily.com");
});

test("of a long excerpt the beginning is shown, and no half of a letter", async () => {
  const content = `${"a".repeat(maxExcerptLength - 1)}\u{1f600}end`;
  const { search } = await service(
    200,
    JSON.stringify({ results: [{ title: "", url: "https://a.example/", content }] }),
  );
  const hits = [{ title: "", url: "https://a.example/", excerpt: `${"a".repeat(maxExcerptLength - 1)}\ufffd` }];
  expect(await search.search("words", 5, signal)).toEqual({ type: "found", hits });
});
