import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asciiForm } from "../src/terminal.ts";
import { type Ended, startSource } from "./source-process.ts";

const root = join(import.meta.dirname, "..", "..");

async function run(source: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return await (
    await startSource("terminal.ts", source, { env })
  ).ended;
}

test("a pipe is no terminal, and has colours only when they are asked for", async () => {
  const { stdout } = await run(
    `const cases = [{}, { CI: "1" }, { TERM: "xterm" }, { FORCE_COLOR: "1" }, { FORCE_COLOR: "0" }, { FORCE_COLOR: "1", NO_COLOR: "1" }, { FORCE_COLOR: "1", NO_COLOR: "" }];
     const seen = cases.map((env) => {
       for (const name of ["CI", "TERM", "FORCE_COLOR", "NO_COLOR"]) delete process.env[name];
       Object.assign(process.env, env);
       const { result, progress, colors } = subject.processStreams(false);
       return [result.isTerminal, progress.isTerminal, colors];
     });
     process.stdout.write(JSON.stringify(seen));`,
  );
  expect(JSON.parse(stdout)).toEqual([
    [false, false, false],
    [false, false, false],
    [false, false, false],
    [false, false, true],
    [false, false, false],
    [false, false, false],
    [false, false, true],
  ]);
});

test("the result goes to stdout as it is; progress to stderr, in ASCII where that is wanted", async () => {
  expect(await run(writingSource(false))).toMatchObject({ stdout: "▸ é\n", stderr: "▸ ✓ ✗ a·b … ⏎ −1 — é\n" });
  expect(await run(writingSource(true))).toMatchObject({ stdout: "▸ é\n", stderr: "> ok x a-b ... \\n -1 - é\n" });
});

test("the first signal asks, the second ends the process at once with its exit code", async () => {
  const ended = await Promise.all(["SIGINT", "SIGTERM", "SIGHUP"].map((second) => run(impatientSource(second))));
  expect(ended).toEqual([130, 143, 143].map((code) => ({ code, signal: null, stdout: "interrupted", stderr: "" })));
});

test("SIGTERM and SIGHUP mean: terminated", async () => {
  const ended = await Promise.all(["SIGTERM", "SIGHUP"].map((signal) => run(askedSource(signal))));
  expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, "terminated"],
    [0, "terminated"],
  ]);
});

test("whoever stops listening is not notified, and the signal does what it always did", async () => {
  const ended = await run(
    `setInterval(() => {}, 1000);
     const stop = subject.onStopSignal((reason) => process.stdout.write(reason));
     stop();
     process.kill(process.pid, "SIGTERM");`,
  );
  expect(ended).toEqual({ code: null, signal: "SIGTERM", stdout: "", stderr: "" });
});

test("a reader that went away ends the output, not the process, and counts as a request to stop", async () => {
  const { child, ended } = await startSource(
    "terminal.ts",
    `const { result, progress } = subject.processStreams(false);
     subject.onStopSignal((reason) => {
       result.write("into the void");
       progress.write("received: " + reason);
       process.exitCode = 7;
       clearInterval(timer);
     });
     const timer = setInterval(() => result.write("x".repeat(100000)), 1);`,
  );
  child.stdout?.destroy();
  expect(await ended).toEqual({ code: 7, signal: null, stdout: "", stderr: "received: terminated" });
});

function writingSource(ascii: boolean): string {
  return `const { result, progress } = subject.processStreams(${ascii});
     result.write("▸ é\\n"); progress.write("▸ ✓ ✗ a·b … ⏎ −1 — é\\n");`;
}

function impatientSource(second: string): string {
  return `setInterval(() => {}, 1000);
     subject.onStopSignal((reason) => {
       process.stdout.write(reason, () => process.kill(process.pid, "${second}"));
     });
     process.kill(process.pid, "SIGINT");`;
}

function askedSource(signal: string): string {
  return `setInterval(() => {}, 1000);
     subject.onStopSignal((reason) => process.stdout.write(reason, () => process.exit(0)));
     process.kill(process.pid, "${signal}");`;
}

test("every sign that the screens draw themselves has a form in ASCII", () => {
  const folders = ["frontends/tui/src", "frontends/cli/src", "core/view/src/layout"].map((folder) =>
    join(root, folder),
  );
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const texts = files.map((file) => readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ""));
  const drawn = new Set(
    texts
      .join("")
      .match(/[\p{S}\p{P}]/gu)
      ?.filter((sign) => !isAscii(sign)),
  );
  expect(drawn.size).toBeGreaterThan(10);
  expect([...drawn].filter((sign) => !Array.from(asciiForm(sign)).every(isAscii))).toEqual([]);
});

function isAscii(sign: string): boolean {
  return (sign.codePointAt(0) ?? 0) < 0x80;
}
