import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "./run-words.ts";
import { startSource } from "./source-process.ts";

type Input = { readonly text: string | Uint8Array } | { readonly stdin: "ignore" | number };

/** The prompt that an argument and standard input make, or the code of the error; what is said about it in `said`. */
async function readPrompt(argument: string | undefined, input: Input): Promise<unknown> {
  const { child, ended } = await startSource(
    "prompt-input.ts",
    `const words = await subject.readPrompt(${JSON.stringify(argument) ?? "undefined"}, (text) => process.stderr.write(text)).then(
       (prompt) => ({ prompt }), ({ code, message }) => ({ code, message }));
     process.stdout.write(JSON.stringify(words));`,
    { stdin: "stdin" in input ? input.stdin : "pipe" },
  );
  child.stdin?.on("error", () => undefined);
  if ("text" in input) child.stdin?.end(input.text);
  const { stdout, stderr } = await ended;
  return { ...JSON.parse(stdout), ...(stderr === "" ? {} : { said: stderr }) };
}

const cases: readonly (readonly [string, string | undefined, Input, string])[] = [
  ["piped input is appended to the argument", "explain", { text: "line\n" }, "explain\n\nline\n"],
  ["piped input alone is the prompt", undefined, { text: "just this" }, "just this"],
  ["an empty pipe adds nothing", "explain", { text: "" }, "explain"],
  ["white space alone adds nothing", "explain", { text: " \n\t" }, "explain"],
  ["/dev/null brings nothing", "explain", { stdin: "ignore" }, "explain"],
];

test.each(cases)("%s", async (_name, argument, input, prompt) => {
  expect(await readPrompt(argument, input)).toEqual({ prompt });
});

test("bytes that are no text are replaced, and it is said", async () => {
  expect(await readPrompt(undefined, { text: Buffer.from([0x61, 0xff, 0x62]) })).toEqual({
    prompt: "a\ufffdb",
    said: expect.stringContaining("no UTF-8 text"),
  });
});

test("a file on standard input is read whole, characters unbroken", async () => {
  const file = join(newFolder(), "input.txt");
  const long = "aé世😀".repeat(50_000);
  writeFileSync(file, long);
  expect(await readPrompt("count", { stdin: openSync(file, "r") })).toEqual({ prompt: `count\n\n${long}` });
});

test("without any words there is no prompt", async () => {
  const refused = { code: "usage.invalid", message: "there is no prompt" };
  expect(await readPrompt(undefined, { stdin: "ignore" })).toEqual(refused);
  expect(await readPrompt("  ", { text: "\n" })).toEqual(refused);
});

test("standard input is bounded as a whole, however small its pieces are", async () => {
  const limitBytes = 8 * 1024 * 1024;
  const file = join(newFolder(), "input.txt");
  writeFileSync(file, Buffer.alloc(limitBytes + 1, "a"));
  expect(await readPrompt(undefined, { stdin: openSync(file, "r") })).toEqual({
    code: "usage.invalid",
    message: `standard input has more than ${limitBytes} bytes`,
  });
});
