/** A disk that fills up in the middle of a turn ends the run with a code and what to do; when there is room, the session continues. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";

const place = usePlace();
const looks = 12;
const diskBytes = 6 * 1024 * 1024;

function run(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, [...args], { stdio: "ignore" }).status === 0;
}

/** A file system of its own; `null` where mounting is not allowed, as for anybody but root. */
function smallDisk(): string | null {
  const folder = join(place.workspace, "..", "disk");
  mkdirSync(folder, { mode: 0o700 });
  if (!run("mount", "-t", "tmpfs", "-o", `size=${diskBytes},mode=0700`, "tmpfs", folder)) return null;
  place.onClose(() => run("umount", "-l", folder));
  return folder;
}

/** Leaves so many bytes free. @returns the file to remove */
function fill(folder: string, leaveBytes: number): string {
  const ballast = join(folder, "ballast");
  const block = Buffer.alloc(4096, 1);
  let blocks = 0;
  try {
    for (; blocks < diskBytes / block.length; blocks += 1) writeFileSync(ballast, block, { flag: "a" });
  } catch {
    // Full, which was intended.
  }
  writeFileSync(ballast, Buffer.alloc(blocks * block.length - leaveBytes, 1));
  return ballast;
}

slowTest(
  "a disk that is full in the middle of a turn has its code and remedy, loses nothing, and the session continues",
  async (context) => {
    const disk = smallDisk();
    if (disk === null) return context.skip();
    for (let at = 0; at < looks; at += 1) place.write(`large-${at}.txt`, "a line of a large file\n".repeat(3000));
    const stage = await place.rehearse("anthropic", [
      { text: "one" },
      ...Array.from({ length: looks }, (_item, at) => ({
        tool_calls: [{ name: "read_file", arguments: { path: `large-${at}.txt` } }],
        text: `look ${at} `.repeat(9000),
      })),
      // The answers fill the window: older messages are summarised on the way.
      { text: "a summary" },
      { text: "after" },
    ]);
    const env = { CAPSTAN_HOME: join(disk, "home") };
    expect((await stage.run(["--session-id", "first", "the first words"], { env })).code).toBe(0);
    const ballast = fill(disk, 400_000);
    const full = await stage.run(["--resume", "first", "--output-format", "json", "the second words"], { env });
    expect(full.code).toBe(1);
    expect(JSON.parse(full.stdout)).toMatchObject({
      error: { code: "storage.full", hint: expect.stringContaining("Free space") },
    });
    const asText = await stage.run(["--resume", "first"], { env });
    expect(asText).toMatchObject({ code: 1, stderr: expect.stringMatching(/disk[^]*Free space/) });
    rmSync(ballast);
    const again = await stage.run(["--resume", "first"], { env });
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
    expect((await place.run(["doctor", "first"], { env })).code).toBe(0);
    const shown = await place.run(["sessions", "show", "first"], { env });
    expect(shown.stdout).toMatch(/the first words[^]*one[^]*the second words/);
  },
);

test("on a full disk doctor asks for space and not for bubblewrap, and finds the sandbox when there is room", async (context) => {
  const disk = smallDisk();
  if (disk === null) return context.skip();
  const env = { CAPSTAN_HOME: join(disk, "home") };
  const sandboxLine = async (): Promise<string> =>
    /[^\n]* sandbox: [^\n]*\n(?: {2,}[^\n]*\n)?/.exec((await place.run(["doctor"], { env })).stdout)?.[0] ?? "";
  const before = await sandboxLine();
  const ballast = fill(disk, 0);
  const full = await sandboxLine();
  expect(full).not.toContain("Install bubblewrap");
  const wanted = before.startsWith("✓") ? /ENOSPC[^]*Free space on the disk that holds/ : /sandbox/;
  expect(full).toMatch(wanted);
  rmSync(ballast);
  expect(await sandboxLine()).toBe(before);
});
