import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { continuesAfterStop } from "../../src/asking/stopped-terminal.ts";

test("a question that was stopped with Ctrl-Z takes its answer after fg", async () => {
  const input = new PassThrough();
  const lines = createInterface({ input, output: new PassThrough(), terminal: true });
  continuesAfterStop(lines);
  const answer = new Promise((resolve) => {
    lines.question("Which? ", resolve);
  });
  // What readline does when the process continues.
  lines.pause();
  lines.emit("SIGCONT");
  input.write("this one\r");
  expect(await answer).toBe("this one");
  lines.close();
});
