import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineClient } from "@capstan/protocol";
import { engineClientContract, isSlowTier, memoryEngine } from "@capstan/testkit";
import { afterAll, expect, test } from "vitest";
import { connectSocket, serveSocket, type SocketServer } from "../src/index.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-socket-"));
afterAll(() => rmSync(root, { recursive: true }));

const options = { identity: { frontend: "owner", role: "operate" }, version: "1" } as const;
let sockets = 0;

function freePath(): string {
  sockets += 1;
  return join(root, `folder-${sockets}`, "s.sock");
}

function serve(path: string): Promise<SocketServer> {
  return serveSocket(path, memoryEngine(), options);
}

// The fast tier has it through lines (core/remote); what is the socket's own is tried there below.
const contract = isSlowTier ? engineClientContract : undefined;
contract?.("over a socket", async () => {
  const server = await serve(freePath());
  const clients: EngineClient[] = [];
  return {
    async connect() {
      const client = await connectSocket(server.path);
      clients.push(client);
      return client;
    },
    async dispose() {
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    },
  };
});

test("only its user can enter the folder, and use the socket", async () => {
  const server = await serve(freePath());
  expect(lstatSync(server.path).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(server.path, "..")).mode & 0o777).toBe(0o700);
  await server.close();
});

test("a folder that others can enter is refused", async () => {
  const path = freePath();
  mkdirSync(join(path, ".."));
  chmodSync(join(path, ".."), 0o755);
  await expect(serve(path)).rejects.toMatchObject({ code: "remote.unreachable" });
});

test("closing removes the socket and ends its connections", async () => {
  const server = await serve(freePath());
  const client = await connectSocket(server.path, { frontend: "cli", role: "watch" });
  expect(client.identity).toEqual({ frontend: "cli", role: "watch" });
  await server.close();
  expect(existsSync(server.path)).toBe(false);
  expect(await client.closed).toMatchObject({ code: "remote.closed" });
  await expect(client.models()).rejects.toMatchObject({ code: "remote.closed" });
  await expect(connectSocket(server.path)).rejects.toMatchObject({ code: "remote.unreachable" });
});

test("a client that breaks off gives back what it had open", async () => {
  const engine = memoryEngine();
  const server = await serveSocket(freePath(), engine, options);
  const everything = { identity: options.identity, purpose: "drive" } as const;
  const own = await engine.open({ type: "new" }, everything);
  const client = await connectSocket(server.path);
  const session = await client.open({ type: "resume", id: own.id }, everything);
  expect(await own.presence()).toHaveLength(2);
  const frames = session.attach(0)[Symbol.asyncIterator]();
  expect((await frames.next()).done).toBe(false);
  await client.close();
  const last = [];
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) last.push(next.value);
  expect(last.at(-1)).toMatchObject({ type: "closed" });
  await server.close();
  expect(await own.presence()).toHaveLength(1);
});

test("a socket that somebody listens on is not taken away", async () => {
  const server = await serve(freePath());
  await expect(serve(server.path)).rejects.toMatchObject({ code: "session.busy" });
  expect(await (await connectSocket(server.path)).models()).toHaveLength(1);
  await server.close();
});

test("what a killed process left is replaced, and nothing else is left in the folder", async () => {
  const path = freePath();
  const child = spawn(process.execPath, [
    "--conditions=source",
    "--import",
    "tsx",
    join(import.meta.dirname, "listening-process.ts"),
    path,
  ]);
  await once(child.stdout, "data");
  expect(await (await connectSocket(path)).models()).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect(connectSocket(path)).rejects.toMatchObject({ code: "remote.unreachable" });
  const server = await serve(path);
  expect(await (await connectSocket(path)).models()).toHaveLength(1);
  expect(readdirSync(join(path, ".."))).toEqual(["s.sock"]);
  await server.close();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a server that closes late leaves the socket of its successor", async () => {
  const server = await serve(freePath());
  rmSync(server.path);
  const successor = await serve(server.path);
  await server.close();
  expect(await (await connectSocket(successor.path)).models()).toHaveLength(1);
  await successor.close();
});

test("a path that no socket can have, and a file in its place, are errors that say so", async () => {
  await expect(serve(join(root, "x".repeat(100), "s.sock"))).rejects.toMatchObject({
    code: "remote.unreachable",
    message: expect.stringContaining("107"),
  });
  const path = freePath();
  mkdirSync(join(path, ".."), { mode: 0o700 });
  writeFileSync(path, "no socket");
  await expect(connectSocket(path)).rejects.toMatchObject({ code: "remote.unreachable" });
});

test("a client that sends and is gone, or never reads, keeps nobody from closing", async () => {
  const server = await serve(freePath());
  const gone = createConnection({ path: server.path });
  gone.write('{"id":"1","op":"sessions.create"}\n{"id":"2","op":');
  await once(gone, "connect");
  gone.destroy();
  const silent = createConnection({ path: server.path });
  await once(silent, "connect");
  silent.on("error", () => undefined);
  silent.pause();
  silent.write('{"id":"1","op":"nothing"}\n'.repeat(20_000));
  expect(await (await connectSocket(server.path)).models()).toHaveLength(1);
  await server.close();
  silent.destroy();
  expect(existsSync(server.path)).toBe(false);
});
