import { expect, test } from "vitest";
import { commandWords } from "../src/program.ts";
import { version } from "../src/version.ts";
import { newFolder, runWords } from "./run-words.ts";

/** What a command line means, its command first. */
function meant(...args: readonly string[]): readonly string[] {
  return commandWords(args, false);
}

test.each([
  [["-p", "one", "two"]],
  [["--print", "one", "two"]],
  [["one", "-p", "two"]],
  [["run", "-p", "one", "two"]],
  [["run", "one", "--print", "two"]],
  [["run", "one", "two", "-p"]],
  [["one", "two"]],
] as const)("%j is a run of these words, and -p itself is no prompt", (args) => {
  expect(meant(...args)).toEqual(["run", "one", "two"]);
});

test("-p stands where a flag can stand: the values of other flags are text", () => {
  expect(meant("-m", "anthropic/x", "-p", "one")).toEqual(["run", "-m", "anthropic/x", "one"]);
  expect(meant("-C", "tools", "-p", "one")).toEqual(["run", "-C", "tools", "one"]);
  expect(meant("--append-system-prompt", "--print", "-p", "one")).toEqual([
    "run",
    "--append-system-prompt",
    "--print",
    "one",
  ]);
  expect(meant("run", "-m", "-p", "one")).toEqual(["run", "-m", "-p", "one"]);
  expect(meant("-p", "tools", "list")).toEqual(["run", "tools", "list"]);
  expect(meant("-p", "one", "--", "-p")).toEqual(["run", "one", "--", "-p"]);
});

test("-p after another command is not the alias, and behind -- everything is the prompt", async () => {
  expect(await runWords(["tools", "-p", "list"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/-p/) });
  expect(meant("--", "-p", "one")).toEqual(["run", "--", "-p", "one"]);
  expect(meant("--", "tools", "list")).toEqual(["run", "--", "tools", "list"]);
});

test("the first word decides: a command's name is that command, everything else a prompt or flags of a run", () => {
  expect(meant("tools", "list")).toEqual(["tools", "list"]);
  expect(meant("fix", "the", "build")).toEqual(["run", "fix", "the", "build"]);
  expect(meant("fix it")).toEqual(["run", "fix it"]);
  expect(meant("-c", "now add a test")).toEqual(["run", "-c", "now add a test"]);
  expect(meant("--help")).toEqual(["--help"]);
  expect(meant("help", "run")).toEqual(["help", "run"]);
  // Where somebody sits, no words open the terminal UI; where something is piped in, it is the prompt.
  expect(commandWords([], true)).toEqual(["tui"]);
  expect(commandWords([], false)).toEqual(["run"]);
});

test.each([
  [["-m", "opus"]],
  [["-c"]],
  [["-c", "--permission-mode", "plan"]],
  [["-r", "a name", "--fork-session"]],
  [["--screen", "full"]],
] as const)("%j: flags without words open the terminal UI where somebody sits, each time", (args) => {
  for (const time of [1, 2]) expect([time, ...commandWords(args, true)]).toEqual([time, "tui", ...args]);
  expect(commandWords(args, false)).toEqual(["run", ...args]);
});

test.each([
  [["-m", "opus", "fix it"]],
  [["-c", "and then?"]],
  // A value is missing, and flags of a run alone.
  [["-m"]],
  [["--output-format", "json"]],
  [["--attach", "a.png"]],
  [["-c", "--on-ask", "park"]],
] as const)("%j is a run at a terminal, too", (args) => {
  expect(commandWords(args, true)).toEqual(["run", ...args]);
});

test("help and version are themselves at a terminal, and -p is a run", () => {
  for (const flag of ["-h", "--help", "-v", "--version"]) expect(commandWords([flag], true)).toEqual([flag]);
  expect(commandWords(["-p"], true)).toEqual(["run"]);
});

test.each([
  [["sesions"], "capstan sessions"],
  [["session", "list"], "capstan sessions list"],
  [["modles"], "capstan models"],
  [["audits", "verify", "ID"], "capstan audit verify ID"],
] as const)(
  "%j: nearly a command that could take the rest is an error that names both readings",
  async (args, command) => {
    const said = await runWords(args);
    expect(said).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(`\`${command}\``) });
    expect(said.stderr).toContain(`capstan run '${args.join(" ")}'`);
  },
);

test.each([[["tool", "list"]], [["tests", "fail"]], [["model", "the", "domain"]]] as const)(
  "%j: too short, too far from a command, or nothing that it could take: a prompt",
  (args) => {
    expect(meant(...args)).toEqual(["run", ...args]);
  },
);

test("words that a command cannot take end in the line that makes them a prompt", async () => {
  const said = await runWords(["config", "the", "linter's rules"]);
  expect(said.code).toBe(2);
  expect(said.stderr).toContain(String.raw`Try: capstan run 'config the linter'\''s rules'`);
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
  expect((await runWords(["sessions", "lsit"])).stderr).toBe(
    "capstan: unknown command 'lsit'; did you mean list? [usage.invalid]\n  Try: capstan sessions list\n",
  );
  expect(await runWords(["run", "--modle", "x"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "capstan: unknown option '--modle'; did you mean --model? [usage.invalid]\n  Try: capstan run --model x\n",
  });
  expect((await runWords(["run", "--timeout", "soon", "x"])).stderr).toContain("[usage.invalid]");
});

test("where nothing similar is known, the help of the command is named", async () => {
  expect((await runWords(["sessions", "frobnicate"])).stderr).toBe(
    "capstan: unknown command 'frobnicate' [usage.invalid]\n  Try: capstan run 'sessions frobnicate'\n",
  );
  expect((await runWords(["run", "--zzz"])).stderr).toContain("Try: capstan run --help\n");
  expect((await runWords(["policy", "explain"])).stderr).toContain("Try: capstan policy explain --help\n");
  expect((await runWords(["audit"])).stderr).toContain("Try: capstan audit --help\n");
});

test.each([
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
    "resume",
    "undo",
    "redo",
    "answer",
    "tui",
    "embed",
    "acp",
    "exec",
    "sessions",
    "proposals",
    "context",
    "facts",
    "models",
    "config",
    "doctor",
    "update",
    "audit",
    "interactions",
    "policy",
    "tools",
    "commands",
    "agents",
    "personas",
    "plugins",
    "skills",
    "hooks",
    "mcp",
    "problems",
    "trust",
    "quarantine",
    "rehearse",
    "completion",
    "manual",
    "version",
    "help",
  ]);
  for (const code of ["0 done", "3 a tool was denied", "124 timeout", "130 interrupted"])
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(code);
});

test.each([[["version"]], [["--version"]], [["-v"]], [["-V"]]])("%j prints the version", async (args) => {
  expect(await runWords(args)).toEqual({ code: 0, stdout: `capstan ${version}\n`, stderr: "" });
});

test("whoever waits for JSON gets a result line, however wrong the flags are", async () => {
  const result = { type: "result", outcome: "error", exitCode: 2, error: { code: "usage.invalid" } };
  for (const args of [
    ["run", "--output-format", "json", "--no-such-flag"],
    ["-p", "--output-format=stream-json", "--no-such-flag", "one"],
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
    stderr: expect.stringContaining("[usage.invalid]"),
  });
});
