import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bypassesProxy } from "../../src/shared/http/bypasses-proxy.ts";
import { toEndpoint } from "../../src/shared/http/endpoint.ts";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
import { failureOf, finishOf, listen, optionsFor, provide, testKey } from "../fixtures/calls.ts";
import { portOf } from "../fixtures/wire-server.ts";

const answer = (anthropicStreams["plain text"] ?? []).join("");
const certificate = makeCertificate();

interface Listening {
  readonly port: number;
}

test.skipIf(certificate === undefined)("a configured certificate authority is trusted, another is not", async () => {
  const server = await secureServer();
  const baseUrl = `https://localhost:${server.port}`;
  const trusted = await listen(provide("anthropic", baseUrl, { caCertificates: certificate?.cert ?? "" }));
  expect(finishOf(trusted).reason).toBe("stop");
  const unknown = failureOf(await listen(provide("anthropic", baseUrl)));
  expect(unknown).toMatchObject({
    code: "provider.network",
    vendorCode: "DEPTH_ZERO_SELF_SIGNED_CERT",
    retryable: false,
  });
});

test.skipIf(certificate === undefined)("calls go through the proxy's tunnel, and share it", async () => {
  const server = await secureServer();
  const asked: string[] = [];
  const proxy = await tunnelTo(server.port, asked, 200);
  const provider = provide("anthropic", "https://api.capstan.test/v1", {
    caCertificates: certificate?.cert ?? "",
    proxyUrl: `http://user:pass@127.0.0.1:${proxy.port}`,
  });
  const kept = { ...provider, close: () => undefined };
  expect(finishOf(await listen(kept)).reason).toBe("stop");
  await new Promise((turn) => setImmediate(turn));
  expect(finishOf(await listen(kept)).reason).toBe("stop");
  provider.close();
  expect(asked).toEqual(["api.capstan.test:443"]);
});

test.skipIf(certificate === undefined)("a proxy that speaks TLS is trusted by the same authorities", async () => {
  const server = await secureServer();
  const asked: string[] = [];
  const secure = createSecureServer({ key: certificate?.key ?? "", cert: certificate?.cert ?? "" });
  const proxy = await tunnelTo(server.port, asked, 200, secure);
  const proxyUrl = `https://localhost:${proxy.port}`;
  const caCertificates = certificate?.cert ?? "";
  const received = await listen(provide("anthropic", "https://api.capstan.test/v1", { caCertificates, proxyUrl }));
  expect([finishOf(received).reason, asked]).toEqual(["stop", ["api.capstan.test:443"]]);
  const untrusted = await listen(provide("anthropic", "https://api.capstan.test/v1", { proxyUrl }));
  expect(failureOf(untrusted)).toMatchObject({ code: "provider.network", retryable: false });
});

test("a proxy that refuses is an honest failure", async () => {
  const proxy = await tunnelTo(1, [], 407);
  const received = await listen(
    provide("anthropic", "https://api.capstan.test/v1", { proxyUrl: `http://127.0.0.1:${proxy.port}` }),
  );
  expect(failureOf(received)).toMatchObject({ code: "provider.http", status: 407, retryable: false });
});

test("which hosts are reached without the proxy", () => {
  checkBypass("https://api.test", "", false);
  checkBypass("https://api.test", "*", true);
  checkBypass("https://api.test", "api.test", true);
  checkBypass("https://api.test", "other, API.test", true);
  checkBypass("https://eu.api.test", "api.test", true);
  checkBypass("https://eu.api.test", ".api.test", true);
  checkBypass("https://eu.api.test", "*.api.test", true);
  checkBypass("https://myapi.test", "api.test", false);
  checkBypass("https://api.test:8443", "api.test:8443", true);
  checkBypass("https://api.test:8443", "api.test:443", false);
  checkBypass("https://[::1]:9", "::1", true);
  checkBypass("https://127.0.0.1", "", false);
  checkBypass("http://127.0.0.1:11434", "", true);
  checkBypass("http://localhost:11434", "", true);
});

function checkBypass(baseUrl: string, noProxy: string, expected: boolean): void {
  expect(bypassesProxy(toEndpoint(optionsFor(baseUrl), []), noProxy), `${baseUrl} ${noProxy}`).toBe(expected);
}

async function secureServer(): Promise<Listening> {
  const server = createSecureServer(
    { key: certificate?.key ?? "", cert: certificate?.cert ?? "" },
    (request, response) => {
      request.resume();
      response.writeHead(request.headers["x-api-key"] === testKey ? 200 : 401, { "content-type": "text/event-stream" });
      response.end(answer);
    },
  );
  return listening(server);
}

async function tunnelTo(port: number, asked: string[], status: number, proxy = createHttpServer()): Promise<Listening> {
  proxy.on("connect", (request, client) => {
    asked.push(request.url ?? "");
    client.on("error", () => undefined);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
  });
  return listening(proxy);
}

async function listening(server: ReturnType<typeof createHttpServer>): Promise<Listening> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: portOf(server) };
}

/** A self-signed certificate; `undefined` where openssl is not installed, and the tests that need it are skipped. */
function makeCertificate(): { readonly key: string; readonly cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "capstan-cert-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:api.capstan.test"];
  try {
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", [...made, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
