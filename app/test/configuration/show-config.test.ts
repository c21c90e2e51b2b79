import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, runWords } from "../run-words.ts";

test("init writes a configuration that changes nothing, for its owner alone, and never over an old one", async () => {
  const home = join(newFolder(), "home");
  const before = await runWords(["config", "show", "--json"], home);
  expect(await runWords(["config", "init"], home)).toEqual({
    code: 0,
    stdout: `Wrote ${join(home, "config.toml")}\n`,
    stderr: "",
  });
  expect((statSync(join(home, "config.toml")).mode & 0o777).toString(8)).toBe("600");
  expect(await runWords(["config", "show", "--json"], home)).toEqual(before);
  expect((await runWords(["config", "validate"], home)).stdout).toBe(`Valid: ${join(home, "config.toml")}\n`);

  writeFileSync(join(home, "config.toml"), "# mine\n");
  expect(await runWords(["config", "init"], home)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("exists already"),
  });
  expect(readFileSync(join(home, "config.toml"), "utf8")).toBe("# mine\n");
});

test("show says where a value was set, and hides keys", async () => {
  const home = newFolder();
  writeFileSync(join(home, "config.toml"), '[app]\nmodel = "anthropic/x"\n[api_keys]\nanthropic = "key-of-mine"\n', {
    mode: 0o600,
  });
  const { stdout } = await runWords(["config", "show", "--permission-mode", "plan"], home);
  expect(stdout).toContain(`app.model = "anthropic/x"   # ${join(home, "config.toml")}:2 (user)\n`);
  expect(stdout).toContain('permissions.mode = "plan"   # flag --permission-mode\n');
  // As people type it first.
  expect((await runWords(["config", "show", "--mode", "plan"], home)).stdout).toBe(stdout);
  for (const args of [
    ["show"],
    ["show", "--json"],
    ["explain", "api_keys.anthropic"],
    ["explain", "api_keys.anthropic", "--json"],
  ])
    expect((await runWords(["config", ...args], home)).stdout).not.toContain("key-of-mine");
});

test("explain shows every layer's value, the last one counting", async () => {
  const home = newFolder();
  writeFileSync(join(home, "config.toml"), "[tools.output]\nmax_bytes = 5000\n", { mode: 0o600 });
  const { stdout } = await runWords(
    ["config", "explain", "tools.output.max_bytes", "--set", "tools.output.max_bytes=6000", "--json"],
    home,
  );
  expect(JSON.parse(stdout)).toMatchObject({
    key: "tools.output.max_bytes",
    value: 6000,
    layers: [
      { value: expect.any(Number), origin: { layer: "default" } },
      { value: 5000, origin: { layer: "user", line: 2 } },
      { value: 6000, origin: { layer: "flag", flag: "--set" } },
    ],
  });
  expect((await runWords(["config", "explain", "no.such.key"], home)).code).toBe(2);
});

test("show with a key explains that key, and names the nearest one for a misspelt key", async () => {
  const home = newFolder();
  const one = await runWords(["config", "show", "permissions.mode", "--permission-mode", "plan"], home);
  expect(one).toEqual(await runWords(["config", "explain", "permissions.mode", "--permission-mode", "plan"], home));
  expect(one.stdout).toContain('flag --permission-mode: "plan"\n');
  const wrong = await runWords(["config", "show", "permissions.mod"], home);
  expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("permissions.mode") });
});

test("a broken file is exit code 2 for every command that reads it, with its line; safe mode starts all the same", async () => {
  const home = newFolder();
  writeFileSync(join(home, "config.toml"), "[app]\nmodle = 1\n", { mode: 0o600 });
  for (const args of [
    ["config", "show"],
    ["config", "validate"],
    ["tools", "list"],
    ["policy", "explain", "ls"],
  ]) {
    expect(await runWords(args, home)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("config.toml:2"),
    });
    expect((await runWords([...args, "--safe-mode"], home)).code).toBe(0);
  }
});

test("the schema is valid JSON", async () => {
  expect(JSON.parse((await runWords(["config", "schema"])).stdout)).toMatchObject({ type: "object" });
});

test("set writes what fits into the user's file, with what counts then; unset takes it out, once", async () => {
  const home = newFolder();
  const file = join(home, "config.toml");
  writeFileSync(file, "# mine\n[tui]\ntheme = 'dark' # d\n", { mode: 0o600 });
  expect(await runWords(["config", "set", "tui.paste_lines", "20"], home)).toEqual({
    code: 0,
    stdout: `Set tui.paste_lines = 20 in ${file}\n`,
    stderr: "",
  });
  expect(readFileSync(file, "utf8")).toBe("# mine\n[tui]\ntheme = 'dark' # d\npaste_lines = 20\n");
  const over = await runWords(["config", "set", "tui.theme", "light", "--set", "tui.theme=none"], home);
  expect(over.stdout).toBe(`Set tui.theme = "light" in ${file}\nWhat counts here is flag --set: "none"\n`);
  expect(await runWords(["config", "set", "keys.steer", '["alt+s"]'], home)).toMatchObject({ code: 0 });
  expect(JSON.parse((await runWords(["config", "unset", "tui.paste_lines", "--json"], home)).stdout)).toEqual({
    key: "tui.paste_lines",
    value: null,
    file,
    changed: true,
    counts: { value: 10, from: "default" },
  });
  expect(await runWords(["config", "unset", "tui.paste_lines"], home)).toMatchObject({
    code: 1,
    stdout: `${file} does not set tui.paste_lines.\n`,
  });
  expect(readFileSync(file, "utf8")).toBe('# mine\n[tui]\ntheme = "light" # d\n\n[keys]\nsteer = ["alt+s"]\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("set writes nothing that does not fit, hides keys, and corrects the line that keeps everything else from starting", async () => {
  const home = newFolder();
  const file = join(home, "config.toml");
  const before = "[tui]\ntheme = 'mauve'\n";
  writeFileSync(file, before, { mode: 0o600 });
  for (const [key, value, words] of [
    ["tui.vim", "maybe", "expected true or false"],
    ["tui.vmi", "true", "tui.vim"],
    ["tui", "1", "is a table"],
    ["app.model", "${NOT_SET_ANYWHERE}", "NOT_SET_ANYWHERE is not set"],
  ] as const)
    expect(await runWords(["config", "set", key, value], home)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(words),
    });
  expect(readFileSync(file, "utf8")).toBe(before);
  const secret = await runWords(["config", "set", "api_keys.anthropic", "key-of-mine"], home);
  expect(secret.stdout).toContain('Set api_keys.anthropic = "***"');
  expect(secret.stdout).toContain("config.toml:2");
  expect(secret.stdout).not.toContain("key-of-mine");
  expect((await runWords(["config", "set", "tui.theme", "auto"], home)).code).toBe(0);
  expect((await runWords(["config", "validate"], home)).code).toBe(0);
});
