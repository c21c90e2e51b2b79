import { expect, test } from "vitest";
import { version } from "../src/version.ts";
import { newFolder, runWords } from "./run-words.ts";

/** `run` takes one prompt: two are refused before anything is started, and the refusal names what was taken for a prompt. */
const tooMany = /^error: too many arguments for 'run'/;

test.each([
  [["run", "one", "two"]],
  [["-p", "one", "two"]],
  [["--print", "one", "two"]],
  [["one", "-p", "two"]],
  [["run", "-p", "one", "two"]],
  [["run", "one", "--print", "two"]],
  [["run", "one", "two", "-p"]],
  [["-m", "anthropic/x", "-p", "one", "two"]],
  [["--output-format", "text", "--print", "one", "two"]],
  [["-C", "tools", "-p", "one", "two"]],
  [["--preset", "run", "-p", "one", "two"]],
  [["-p", "tools", "list"]],
  [["-p", "one", "--", "-p"]],
] as const)("%j is a run, and -p itself is no prompt", async (args) => {
  const said = await runWords(args);
  expect(said).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(tooMany) });
});

test("-p after another command, or after --, is not the alias", async () => {
  expect(await runWords(["tools", "-p", "list"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/-p/) });
  expect(await runWords(["--", "-p", "one"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/command '-p'/) });
});

test.each([
  [["run", "--append-system-prompt", "-p", "one", "two"]],
  [["--append-system-prompt", "--print", "-p", "one", "two"]],
  [["run", "-m", "-p", "one", "two"]],
] as const)("%j: the value of a flag is text, and no flag is looked for in it", async (args) => {
  expect((await runWords(args)).stderr).toMatch(/too many arguments for 'run'. Expected 1 argument but got 2/);
});

test("a prompt behind --prompt is text, whatever it begins with", async () => {
  const missing = `${newFolder()}/missing`;
  for (const prompt of ["--config=/x", "-C", "--yolo", "--trust", "-p", "--"]) {
    // Read as a flag, it would have been refused, or taken the place of the directory.
    expect(await runWords(["run", "-C", missing, "--prompt", prompt])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`there is no directory ${missing}`),
    });
  }
  expect((await runWords(["run", "--prompt", "one", "two"])).stderr).toContain("--prompt and a prompt as argument");
});

test("an unknown command, flag or value of a flag is named, with what was probably meant", async () => {
  expect(await runWords(["sesions"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "error: unknown command 'sesions'\n(Did you mean sessions?)\n",
  });
  expect(await runWords(["run", "--modle", "x"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "error: unknown option '--modle'\n(Did you mean --model?)\n",
  });
  expect((await runWords(["run", "--timeout", "soon", "x"])).stderr).toContain("[usage.invalid]");
});

test("where nothing similar is known, the help of the command is named", async () => {
  expect((await runWords(["frobnicate"])).stderr).toBe(
    "error: unknown command 'frobnicate'\n  `capstan --help` shows what there is.\n",
  );
  expect((await runWords(["run", "--zzz"])).stderr).toContain("`capstan run --help`");
  expect((await runWords(["policy", "explain"])).stderr).toContain("`capstan policy --help`");
});

test.each([
  [[]],
  [["help"]],
  [["--help"]],
  [["-h"]],
  [["help", "run"]],
  [["run", "--help"]],
  [["sessions", "--help"]],
  [["-p", "--help"]],
])("%j shows the help and exits 0", async (args) => {
  expect(await runWords(args)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Usage: capstan/),
    stderr: "",
  });
});

test("the help lists every command, and the exit codes", async () => {
  const { stdout } = await runWords(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
  expect(commands).toEqual([
    "run",
    "embed",
    "sessions",
    "models",
    "config",
    "doctor",
    "audit",
    "interactions",
    "policy",
    "tools",
    "trust",
    "rehearse",
    "completion",
    "manual",
    "version",
    "help",
  ]);
  for (const code of ["0 done", "3 a tool was denied", "124 timeout", "130 interrupted"])
    expect(stdout).toContain(code);
});

test.each([[["version"]], [["--version"]], [["-v"]], [["-V"]]])("%j prints the version", async (args) => {
  expect(await runWords(args)).toEqual({ code: 0, stdout: `capstan ${version}\n`, stderr: "" });
});

test("whoever waits for JSON gets a result line, however wrong the flags are", async () => {
  const result = { type: "result", outcome: "error", exitCode: 2, error: { code: "usage.invalid" } };
  for (const args of [
    ["run", "--output-format", "json", "--no-such-flag"],
    ["-p", "--output-format=stream-json", "one", "two"],
    ["run", "--output-format", "json", "--timeout", "soon", "x"],
    ["run", "--output-format", "json", "--resume", "a", "--continue", "x"],
    ["run", "--output-format", "json", "--fork-session", "x"],
    ["run", "--output-format", "json", "--session-id", "not an id", "x"],
  ]) {
    const said = await runWords(args);
    expect(said.code).toBe(2);
    expect(JSON.parse(said.stdout)).toMatchObject(result);
  }
  expect((await runWords(["run", "--output-format", "text", "--no-such-flag"])).stdout).toBe("");
});

test("what is wrong with the place or the configuration is reported before anything is made", async () => {
  const home = `${newFolder()}/home`;
  expect(await runWords(["config", "show", "-C", `${home}/missing`], home)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[usage.workspace-missing]"),
  });
  expect(await runWords(["config", "show", "--set", "app.modle=x"], home)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[config.invalid]"),
  });
});
