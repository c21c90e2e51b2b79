import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type HostGrant, parseGrant } from "../../src/network/host-grants.ts";
import { HostProxy, type HostProxyOptions } from "../../src/network/host-proxy.ts";

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

/** A proxy that can be reached over TCP, and what it answers to some bytes. */
async function startProxy(grants: readonly HostGrant[], options: HostProxyOptions = {}) {
  const proxy = new HostProxy(grants, options);
  const port = await listenOn(createTcpServer((socket) => proxy.accept(socket)));
  onTestFinished(() => proxy.close());
  const ask = async (bytes: string, until = /\r\n\r\n/): Promise<string> => {
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
  };
  return { proxy, ask };
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

test("a granted host whose name cannot be resolved is not reported as refused", async () => {
  const { proxy, ask } = await startProxy(
    grantsOf("gone.example.org"),
    { resolve: async () => await Promise.reject(new Error("ENOTFOUND")) },
  );
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
