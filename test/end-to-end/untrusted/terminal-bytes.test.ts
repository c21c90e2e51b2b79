import { slowTest } from "@capstan/testkit";
import { execFile } from "node:child_process";
import { inject } from "vitest";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";

const place = usePlace();

const esc = "\u001b";
const hostile = [
  `${esc}]0;owned\u0007`,
  `${esc}]52;c;ZXZpbA==\u0007`,
  `${esc}]8;;http://evil.test${esc}\\click${esc}]8;;${esc}\\`,
  `${esc}[2J${esc}[1;1H${esc}[?1049h`,
  `${esc}P$qm${esc}\\${esc}_apc${esc}\\${esc}^pm${esc}\\`,
  `${esc}[201~${esc}[6n${esc}[?1000h`,
  "\u009b31m\u009d0;t\u009c\u0090q\u009c",
  "safe\rrm -rf\b\b\u0007",
  "\u202egnp.exe\u2066",
  "a\u200bb\u{e0041}",
].join(" ");

/** Runs the binary on a real terminal of its own and returns every byte that reached it. */
function onTerminal(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Buffer> {
  const words = [process.execPath, inject("capstanEntry"), ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return new Promise((resolve, reject) => {
    execFile(
      "script",
      ["--quiet", "--return", "--log-out", "/dev/null", "--command", words.join(" ")],
      { cwd: place.workspace, env: { ...env, TERM: "xterm-256color" }, encoding: "buffer", timeout: 60_000 },
      (error, stdout) => (error === null || typeof error.code === "number" ? resolve(stdout) : reject(error)),
    );
  });
}

/** What reaches the terminal besides text, line ends and the colours that Capstan sets itself. */
function foreignBytes(bytes: Buffer): readonly string[] {
  const text = bytes.toString("utf8");
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const own = text.replace(/\u001b\[(?:0|1|2|3|4|9|22|23|24|29|3[0-9]|9[0-7])m/g, "").replaceAll("\r\n", "\n");
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  const foreign = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
  return own.match(foreign) ?? [];
}

async function shown(turns: readonly object[], args: readonly string[]): Promise<string> {
  const stage = await place.rehearse("anthropic", turns);
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data, ...stage.env };
  const bytes = await onTerminal(["run", "-m", "anthropic/rehearsal", ...args], env);
  expect(foreignBytes(bytes)).toEqual([]);
  return bytes.toString("utf8");
}

test("the test would see what reaches a terminal", async () => {
  place.write("hostile.txt", hostile);
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    execFile(
      "script",
      ["--quiet", "--return", "--log-out", "/dev/null", "--command", "cat hostile.txt"],
      { cwd: place.workspace, encoding: "buffer", timeout: 60_000 },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
  });
  expect(foreignBytes(bytes).length).toBeGreaterThan(20);
});

test("nothing of a model's words, thoughts or calls makes a terminal do anything", async () => {
  const text = await shown(
    [
      {
        thinking: `thought ${hostile}`,
        text: `words ${hostile}`,
        tool_calls: [
          { name: "read_file", arguments: { path: `no ${hostile}` } },
          { name: `tool${hostile}`, arguments: { [`key${hostile}`]: hostile } },
          { name: "write_file", arguments: { path: "out.txt", content: `line\n${hostile}\n` } },
        ],
        piece_bytes: 3,
      },
      { text: `the end ${hostile}`, piece_bytes: 2 },
    ],
    ["--yolo", "go"],
  );
  expect(text).toContain("words");
  expect(text).toContain("the end");
});

test("nor does anything of files, their names, or a vendor's error", async () => {
  place.write("name\u202e\u0007.txt", `content ${hostile}\n`);
  const text = await shown(
    [
      {
        tool_calls: [
          { name: "search", arguments: { pattern: "content" } },
          { name: "glob", arguments: { pattern: "*" } },
        ],
      },
      { text: "never", fault: { type: "http", status: 400, message: `bad ${hostile}`, times: 9 } },
    ],
    [`go ${hostile.replaceAll("\u0000", "")}`],
  );
  expect(text).toContain("bad");
});

slowTest("nor does a title in the list of sessions", async () => {
  await shown([{ text: "yes" }], [`title ${hostile}`]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data };
  const bytes = await onTerminal(["sessions", "list"], env);
  expect(bytes.toString("utf8")).toContain("title");
  expect(foreignBytes(bytes)).toEqual([]);
});
