import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { updateNotice } from "../../src/installation/update-notice.ts";
import { wantsUpdateNotice } from "../../src/installation/with-update-notice.ts";
import { newFolder } from "../run-words.ts";

const installed = "file:///usr/lib/node_modules/capstan/cli/program.js";
const day = 24 * 60 * 60 * 1000;

test("nothing is said or asked without a terminal, in CI, where it was switched off, or from a source tree", () => {
  expect(wantsUpdateNotice({}, true, installed)).toBe(true);
  expect(wantsUpdateNotice({}, false, installed)).toBe(false);
  expect(wantsUpdateNotice({ CI: "true" }, true, installed)).toBe(false);
  expect(wantsUpdateNotice({ CI: "1" }, true, installed)).toBe(false);
  expect(wantsUpdateNotice({ NO_UPDATE_NOTIFIER: "1" }, true, installed)).toBe(false);
  expect(wantsUpdateNotice({ CI: "", NO_UPDATE_NOTIFIER: "0" }, true, installed)).toBe(true);
  expect(wantsUpdateNotice({}, true, "file:///work/capstan/dist/cli/program.js")).toBe(false);
});

test("a newer version is reported the next time, and the registry is asked once a day", async () => {
  const registry = await serve(200, JSON.stringify({ name: "capstan", version: "0.2.0" }));
  const at = { home: join(newFolder(), "home"), version: "0.1.0", url: registry.url };
  expect(updateNotice({ ...at, now: 1000 })).toBeUndefined();
  await vi.waitFor(() => expect(kept(at.home)).toEqual({ askedAt: 1000, latest: "0.2.0" }));
  const line = "capstan 0.2.0 is out (this is 0.1.0): npm install --global capstan";
  expect(updateNotice({ ...at, now: 2000 })).toBe(line);
  expect(updateNotice({ ...at, now: day })).toBe(line);
  expect(registry.asked()).toBe(1);
  expect(updateNotice({ ...at, now: 2 * day })).toBe(line);
  await vi.waitFor(() => expect(kept(at.home)).toEqual({ askedAt: 2 * day, latest: "0.2.0" }));
  await vi.waitFor(() => expect(registry.asked()).toBe(2));
  expect(statSync(pathIn(at.home)).mode & 0o777).toBe(0o600);
});

test.each(["0.1.0", "0.0.9", "0.2.0-beta.1", "latest"])("the newest version %s is no news to 0.1.0", (latest) => {
  const home = newFolder();
  writeFileSync(pathIn(home), JSON.stringify({ askedAt: 1000, latest }));
  expect(updateNotice({ home, version: "0.1.0", now: 1000, url: "http://127.0.0.1:9/" })).toBeUndefined();
});

test.each([
  ["an error", 500, "{}"],
  ["no JSON", 200, "<html>"],
  ["a version that is none", 200, '{"version":"\\u001b[31m9.9.9"}'],
])("%s of the registry is as good as no answer, and is not asked for again today", async (_name, status, body) => {
  const registry = await serve(status, body);
  const at = { home: newFolder(), version: "0.1.0", url: registry.url };
  updateNotice({ ...at, now: 1000 });
  await vi.waitFor(() => expect(registry.asked()).toBe(1));
  expect(updateNotice({ ...at, now: 2000 })).toBeUndefined();
  expect(kept(at.home)).toEqual({ askedAt: 1000, latest: "0.1.0" });
  expect(registry.asked()).toBe(1);
});

test("without a network, without a writable folder, with a damaged note it is silent", () => {
  const closed = { version: "0.1.0", now: 1000, url: "http://127.0.0.1:9/" };
  expect(updateNotice({ ...closed, home: newFolder() })).toBeUndefined();
  expect(updateNotice({ ...closed, home: "/proc/capstan" })).toBeUndefined();
  expect(existsSync("/proc/capstan")).toBe(false);
  const damaged = newFolder();
  writeFileSync(pathIn(damaged), '{"askedAt":"today"');
  expect(updateNotice({ ...closed, home: damaged })).toBeUndefined();
});

function pathIn(home: string): string {
  return join(home, "newest-version.json");
}

function kept(home: string): unknown {
  return JSON.parse(readFileSync(pathIn(home), "utf8"));
}

async function serve(status: number, body: string): Promise<{ readonly url: string; asked(): number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked };
}
