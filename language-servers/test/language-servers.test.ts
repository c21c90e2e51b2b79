import { slowTest } from "@capstan/testkit";
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { never, scripted, ServersPlace, session, textsOf } from "./support/servers-place.ts";

test.each(["push", "pull"])(
  "a server that says it by %s: new errors are reported once, and again when they come back",
  async (way) => {
    const place = new ServersPlace(scripted(way));

    expect(await place.change("a.txt", "good\nWRONG\n")).toEqual(["2: WRONG is not right"]);
    // It moved, and is the same.
    expect(await place.change("a.txt", "good\n\nWRONG\n")).toEqual([]);
    expect(await place.change("a.txt", "WRONG\nWRONG\n")).toEqual(["2: WRONG is not right"]);
    expect(await place.change("a.txt", "good\n")).toEqual([]);
    expect(await place.change("a.txt", "WRONG\n")).toEqual(["1: WRONG is not right"]);
  },
);

slowTest("warnings are no errors, and are listed with them", async () => {
  const place = new ServersPlace(scripted("push"));
  expect(await place.change("a.txt", "SHAKY\nWRONG\n")).toEqual(["2: WRONG is not right"]);

  const all = await place.servers.look([join(place.folder, "a.txt")], never);
  expect(all.flatMap(({ problems }) => problems.map(({ severity, code }) => `${severity} ${code}`))).toEqual([
    "warning 7",
    "error 7",
  ]);
});

test("what comes late is reported before the next step, once", async () => {
  const place = new ServersPlace(scripted("late"));
  const path = place.write("a.txt", "WRONG\n");
  expect(await place.servers.changed(session, [path], AbortSignal.abort())).toEqual([]);

  // The server says nothing before it is informed of another file.
  expect(await place.change("b.txt", "fine\n")).toEqual(["1: WRONG is not right"]);
  expect(await place.servers.news(session, never)).toEqual([]);
});

slowTest("a file that somebody else changed afterwards is looked at again before the next step", async () => {
  const place = new ServersPlace(scripted("push"));
  await place.change("a.txt", "good\n");
  writeFileSync(join(place.folder, "a.txt"), "WRONG2\n");

  expect(textsOf(await place.servers.news(session, never))).toEqual(["1: WRONG2 is not right"]);
  rmSync(join(place.folder, "a.txt"));
  expect(await place.servers.news(session, never)).toEqual([]);
});

test("what a command puts in a file's place leads no server out of the workspace, and to nothing protected", async () => {
  const place = new ServersPlace(scripted("push"));
  const secret = join(mkdtempSync(join(tmpdir(), "capstan-outside-")), "key.txt");
  writeFileSync(secret, "WRONGsecret\n");
  place.write(".env", "WRONGsecret\n");
  await place.change("a.txt", "good\n");
  for (const put of [
    (path: string) => symlinkSync(secret, path),
    (path: string) => symlinkSync(".env", path),
    (path: string) => linkSync(join(place.folder, ".env"), path),
  ]) {
    const path = join(place.folder, "a.txt");
    rmSync(path);
    put(path);
    expect(await place.servers.news(session, never)).toEqual([]);
    expect(textsOf(await place.servers.changed(session, [path], never))).toEqual([]);
  }
  // The same words in a file of the workspace are what they are.
  rmSync(join(place.folder, "a.txt"));
  expect(await place.change("a.txt", "WRONGsecret\n")).toEqual(["1: WRONGsecret is not right"]);
  rmSync(dirname(secret), { recursive: true });
});

test("each session is informed of the files that it changed itself", async () => {
  const place = new ServersPlace(scripted("push"));
  const other = toSessionId("other");
  expect(await place.change("a.txt", "WRONG\n")).toEqual(["1: WRONG is not right"]);
  expect(await place.servers.news(other, never)).toEqual([]);
  expect(await place.change("b.txt", "WRONG\n", other)).toEqual(["1: WRONG is not right"]);
  expect(await place.servers.news(session, never)).toEqual([]);
});

test("no server is started for a file that none is named for", async () => {
  const place = new ServersPlace(scripted("dies"));
  expect(await place.change("a.md", "WRONG\n")).toEqual([]);
  expect(place.servers.failures()).toEqual([]);
});

test.each([
  ["dies", "it ended with code 3: out of patience"],
  ["floods", "it floods"],
  ["garbles", "it does not keep to its protocol"],
])("a server that %s is stopped and named once, and the others are asked on", async (way, reason) => {
  const place = new ServersPlace(scripted(way), scripted("push", { extensions: [".ok"] }));
  expect(await place.change("a.txt", "WRONG\n")).toEqual([]);
  expect(place.servers.failures()).toEqual([{ name: way, reason }]);

  expect(await place.change("b.ok", "WRONG\n")).toEqual(["1: WRONG is not right"]);
  expect(await place.change("a.txt", "WRONG WRONG\n")).toEqual([]);
  expect(place.servers.failures()).toEqual([]);
});

test("a server that never begins is ended after its time, and one that cannot be found says what was looked for", async () => {
  const place = new ServersPlace(
    scripted("deaf", { startupTimeoutMs: 100 }),
    scripted("absent", { command: "no-such-server", extensions: [".none"] }),
  );
  await place.change("a.txt", "WRONG\n");
  await place.change("a.none", "WRONG\n");
  expect(place.servers.failures()).toEqual([
    { name: "deaf", reason: "it did not answer within 0.1 seconds" },
    { name: "absent", reason: 'no program "no-such-server": name one on the PATH, or write its absolute path' },
  ]);
});
