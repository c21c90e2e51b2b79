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
