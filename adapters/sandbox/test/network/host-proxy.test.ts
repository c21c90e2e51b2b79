import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, createServer as createTcpServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { type HostGrant, parseGrant } from "../../src/network/host-grants.ts";
import { HostProxy, type HostProxyOptions } from "../../src/network/host-proxy.ts";
import { WayOut } from "../../src/network/way-out.ts";

async function listenOn(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function grantsOf(...hosts: readonly string[]): readonly HostGrant[] {
  return hosts.flatMap((host) => parseGrant(host) ?? []);
}

/** A way out that can be reached over TCP. */
async function startWayOut(): Promise<WayOut> {
  const listener = createTcpServer();
  await listenOn(listener);
  const wayOut = await WayOut.through(listener);
  onTestFinished(() => wayOut.close());
  return wayOut;
}

/** A command with a way out, and what that answers to some bytes. */
async function startProxy(grants: readonly HostGrant[], options: HostProxyOptions = {}) {
  const proxy = new HostProxy(grants, options);
  const admission = (await startWayOut()).admit(proxy);
  const { port, authorization } = known(admission.url);
  const ask = async (text: string, until?: RegExp): Promise<string> =>
    await speak(port, text.replace("\r\n", `\r\n${given(authorization)}`), until);
  return { proxy, ask, close: () => admission.close() };
}

/** What a program makes of the proxy's address. */
function known(url: string): { readonly port: number; readonly authorization: string } {
  const { port, username, password } = new URL(url);
  return { port: Number(port), authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

function given(authorization: string): string {
  return `Proxy-Authorization: ${authorization}\r\n`;
}

async function speak(port: number, bytes: string, until = /\r\n\r\n/): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  return new Promise((done) => {
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (until.test(text)) socket.destroy();
    });
    socket.once("error", () => socket.destroy());
    socket.once("close", () => done(text));
    socket.write(bytes, "latin1");
  });
}

async function startHost(): Promise<number> {
  return await listenOn(
    createServer((message, response) => response.end(`${message.url} for ${message.headers.host}`)),
  );
}

test("requests and tunnels reach a granted host, by the name that was granted", async () => {
  const port = await startHost();
  const { proxy, ask } = await startProxy(grantsOf(`localhost:${port}`));
  const plain = await ask(`GET http://localhost:${port}/a?b HTTP/1.1\r\nHost: other.example\r\n\r\n`, /for .*/);
  expect(plain.includes(`/a?b for localhost:${port}`)).toBe(true);
  const tunnel = await ask(`CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(tunnel).toBe("HTTP/1.1 200 Connection established\r\n\r\n");
  expect(proxy.refused).toEqual([]);
});

test("each command reaches its own hosts, nobody who says no word or a guessed one reaches any, and a word ends with its command", async () => {
  const host = await startHost();
  const wayOut = await startWayOut();
  const [mine, other] = [new HostProxy(grantsOf(`localhost:${host}`)), new HostProxy([])];
  const [admitted, closed] = [wayOut.admit(mine), wayOut.admit(other)];
  const { port, authorization } = known(admitted.url);
  const asked = async (line: string, method = "CONNECT"): Promise<string> => {
    const place = method === "CONNECT" ? `localhost:${host}` : `http://localhost:${host}/`;
    return (await speak(port, `${method} ${place} HTTP/1.1\r\nHost: x\r\n${line}\r\n`)).split("\r\n")[0] ?? "";
  };
  const guessed = `Basic ${Buffer.from(`command:${"0".repeat(32)}`).toString("base64")}`;
  for (const method of ["CONNECT", "GET"]) {
    for (const line of ["", given(guessed), given("Bearer x"), given(`Basic ${"=".repeat(50)}`)])
      expect(await asked(line, method)).toMatch(/^HTTP\/1\.1 407 /);
    expect(await asked(given(authorization), method)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await asked(given(known(closed.url).authorization), method)).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect([mine.refused, other.refused]).toEqual([[], [`localhost:${host}`]]);
  admitted.close();
  expect(await asked(given(authorization))).toMatch(/^HTTP\/1\.1 407 /);
});

test("a tunnel ends with its command", async () => {
  const target = createTcpServer((socket) => socket.on("error", () => undefined));
  const arrived = once(target, "connection").then(async ([socket]) => await once(socket, "data"));
  const host = await listenOn(target);
  const { ask, close } = await startProxy(grantsOf(`localhost:${host}`));
  // What follows is sent on once the tunnel is there.
  const never = ask(`CONNECT localhost:${host} HTTP/1.1\r\nHost: x\r\n\r\nhello`, /never/);
  await arrived;
  close();
  expect(await never).toContain("200");
});

test("a granted host whose name cannot be resolved is not reported as refused", async () => {
  const { proxy, ask } = await startProxy(grantsOf("gone.example.org"), {
    resolve: async () => await Promise.reject(new Error("ENOTFOUND")),
  });
  const plain = await ask("GET http://gone.example.org/ HTTP/1.1\r\nHost: x\r\n\r\n", /ENOTFOUND/);
  expect(plain).toMatch(/^HTTP\/1\.1 502 [^]*gone\.example\.org could not be resolved/);
  expect(await ask("CONNECT gone.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 502 /);
  expect(proxy.refused).toEqual([]);
});

test("a host that is not granted is refused and reported", async () => {
  const port = await startHost();
  const { proxy, ask } = await startProxy(grantsOf("example.org"));
  expect((await ask(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).startsWith("HTTP/1.1 403")).toBe(true);
  expect((await ask(`GET http://169.254.169.254/ HTTP/1.1\r\nHost: x\r\n\r\n`)).startsWith("HTTP/1.1 403")).toBe(true);
  expect(proxy.refused).toEqual([`127.0.0.1:${port}`, "169.254.169.254:80"]);
});

test("a granted name that leads to this machine is refused, and asked for once", async () => {
  const port = await startHost();
  const asked: string[] = [];
  const resolve = async (host: string): Promise<readonly string[]> => {
    asked.push(host);
    return await Promise.resolve(asked.length === 1 ? ["127.0.0.1"] : ["1.1.1.1"]);
  };
  const { ask } = await startProxy(grantsOf(`rebind.example:${port}`), { resolve });
  expect((await ask(`CONNECT rebind.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).startsWith("HTTP/1.1 403")).toBe(
    true,
  );
  expect(asked).toEqual(["rebind.example"]);
});

test("heads that are too long or no requests to a proxy are refused", async () => {
  const { ask } = await startProxy(grantsOf("example.org"));
  const long = await ask(`GET http://example.org/ HTTP/1.1\r\nX: ${"a".repeat(9_000)}\r\n\r\n`);
  expect(/^HTTP\/1.1 200/.test(long)).toBe(false);
  expect((await ask("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")).startsWith("HTTP/1.1 400")).toBe(true);
  expect((await ask("CONNECT example.org HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 400")).toBe(true);
});

const inside = async (): Promise<readonly string[]> => await Promise.resolve(["10.0.0.1"]);
const nowhere = async (): Promise<readonly string[]> => await Promise.reject(new Error("ENOTFOUND"));

/** The user's own proxy: serves plain requests, and echoes what goes through a tunnel. */
async function startUserProxy(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((message, response) => {
    asked.push(`${message.url} ${message.headers["proxy-authorization"] ?? ""}`);
    response.end("for the proxy");
  });
  server.on("connect", (message: IncomingMessage, socket: Duplex) => {
    asked.push(`CONNECT ${message.url}`);
    socket.write(message.url === "closed.example.org:443" ? "HTTP/1.1 407 No\r\n\r\n" : "HTTP/1.1 200 OK\r\n\r\n");
    socket.pipe(socket);
  });
  return { url: `http://a:b@127.0.0.1:${await listenOn(server)}`, asked };
}

test("a connection waits for the answer about its host: a yes lets it through, a no refuses it, and nothing was looked up before", async () => {
  const looked: string[] = [];
  const answers = new Map<string, (isOpen: boolean) => void>();
  const asked = new EventEmitter();
  const { url } = await startUserProxy();
  const { proxy, ask } = await startProxy(grantsOf("open.example.org"), {
    resolve: async (host) => {
      looked.push(host);
      return await nowhere();
    },
    mayReach: async ({ host, port }) =>
      await new Promise((resolve) => {
        answers.set(`${host}:${port}`, resolve);
        asked.emit("asked");
      }),
    proxyFor: async () => await Promise.resolve(url),
  });
  const reply = async (place: string, isOpen: boolean): Promise<void> => {
    while (!answers.has(place)) await once(asked, "asked");
    answers.get(place)?.(isOpen);
  };
  const [plain, tunnel] = [
    ask("GET http://one.example.org/a HTTP/1.1\r\nHost: x\r\n\r\n", /proxy$/),
    ask("CONNECT two.example.org:8443 HTTP/1.1\r\nHost: x\r\n\r\n"),
  ];
  await reply("two.example.org:8443", false);
  expect(await tunnel).toMatch(/^HTTP\/1\.1 403 /);
  expect([looked, proxy.refused]).toEqual([[], ["two.example.org:8443"]]);
  await reply("one.example.org:80", true);
  expect(await plain).toMatch(/for the proxy$/);
  expect(looked).toEqual(["one.example.org"]);
});

test("nobody is asked about addresses, names of this machine and names without a dot", async () => {
  const asked: string[] = [];
  const mayReach = async ({ host }: { readonly host: string }): Promise<boolean> => {
    asked.push(host);
    return await Promise.resolve(true);
  };
  const { ask } = await startProxy([], { resolve: nowhere, mayReach });
  for (const place of [
    "127.0.0.1:1",
    "[::1]:1",
    "localhost:1",
    "0x7f.1:1",
    "mirror:1",
    "printer.local:1",
    "a.localhost:1",
  ])
    expect(await ask(`CONNECT ${place} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(asked).toEqual([]);
});

test("granted hosts are reached through the user's own proxy, with its name and word, and a refusal of it is reported", async () => {
  const { url, asked } = await startUserProxy();
  const grants = grantsOf("*.example.org", "near.example.com");
  const proxyFor = async ({ host }: { readonly host: string }): Promise<string | undefined> =>
    await Promise.resolve(host === "near.example.com" ? undefined : url);
  const { ask } = await startProxy(grants, { resolve: nowhere, proxyFor });
  await ask("GET http://far.example.org/a?b HTTP/1.1\r\nHost: x\r\n\r\n", /proxy$/);
  expect(await ask("CONNECT far.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\nhello", /hello/)).toContain("200");
  expect(await ask("CONNECT closed.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 502 /);
  expect(await ask("CONNECT near.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 502 /);
  expect(await ask("CONNECT far.example.net:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  const authorization = `Basic ${Buffer.from("a:b").toString("base64")}`;
  expect(asked).toEqual([
    `http://far.example.org/a?b ${authorization}`,
    "CONNECT far.example.org:443",
    "CONNECT closed.example.org:443",
  ]);
});

test("a granted name that leads into a private network is refused, also where there is a proxy", async () => {
  const { url, asked } = await startUserProxy();
  const { ask } = await startProxy(grantsOf("inner.example.org"), {
    resolve: inside,
    proxyFor: async () => await Promise.resolve(url),
  });
  expect(await ask("CONNECT inner.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  expect(asked).toEqual([]);
});
