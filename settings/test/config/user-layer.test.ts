import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configPlace, noDialect } from "./config-place.ts";

test("variables are put into strings of the user's file, in lists and tables too", async () => {
  const place = configPlace({
    user: `
[api_keys]
openai = "\${KEY}"
anthropic = "\${UNSET:-fallback}"
[providers.x]
base_url = "http://\${HOST:-127.0.0.1}:\${PORT}/v1"
headers = { "X-A" = "\${KEY}" }
body = { list = ["$\${KEY}", "\${EMPTY:-\${KEY}}"] }
[context]
instruction_files = ["\${KEY}.md"]
`,
  });
  const { values } = await place.load({ env: { KEY: "k", PORT: "8", EMPTY: "" } });
  expect([values.api_keys, values.providers["x"], values.context.instruction_files]).toEqual([
    { openai: "k", anthropic: "fallback" },
    {
      wire: null,
      base_url: "http://127.0.0.1:8/v1",
      api_key: null,
      key_header: null,
      key_prefix: null,
      headers: { "X-A": "k" },
      query: {},
      options: {},
      body: { list: ["${KEY}", "k"] },
      dialect: noDialect,
      summary_model: null,
      requires_key: true,
    },
    ["k.md"],
  ]);
});

test("a missing variable is named with its place; other problems are graver", async () => {
  const place = configPlace({ user: '[api_keys]\nopenai = "${GONE}"\n' });
  expect(await place.failure()).toEqual({
    code: "config.variable-missing",
    message: "/home/config.toml:2: api_keys.openai: the variable GONE is not set",
  });
  place.write(place.userFile, '[api_keys]\nopenai = "${GONE}"\n[app]\nmodle = "x"\n');
  expect((await place.failure()).code).toBe("config.invalid");
  place.write(place.userFile, '[app]\nmodel = "${"\n');
  expect(await place.failure()).toEqual({
    code: "config.invalid",
    message: "/home/config.toml:2: app.model: `${` without `}`; write `$${` for a plain `${`",
  });
});

test("a preset counts above the rest of the file; the others are checked but need no variables", async () => {
  const place = configPlace({
    user: `
[permissions]
mode = "default"
[presets.careful.permissions]
mode = "plan"
[presets.other.api_keys]
openai = "\${GONE}"
`,
  });
  expect((await place.load({ preset: "careful" })).values.permissions.mode).toBe("plan");
  expect((await place.load()).values.permissions.mode).toBe("default");
  expect((await place.failure({ preset: "other" })).code).toBe("config.variable-missing");
  expect(await place.failure({ preset: "carful" })).toEqual({
    code: "usage.invalid",
    message: "flag --preset: no preset carful in /home/config.toml: it has careful, other; did you mean careful?",
  });
  place.write(place.userFile, "[presets.p.retry]\njitter = 2\n");
  expect((await place.failure()).message).toBe(
    "/home/config.toml:2: retry.jitter: expected a number from 0 to 1, found 2",
  );
});

test("a file named by flag is read in place of the user's, and must be there", async () => {
  const place = configPlace({ user: "[app]\nmodel = 'a/user'\n" });
  const configFile = join(place.root, "other.toml");
  expect(await place.failure({ configFile })).toEqual({
    code: "config.unreadable",
    message: "/other.toml: no such file",
  });
  place.write(configFile, "[app]\nprovider = 'p'\n");
  const loaded = await place.load({ configFile });
  expect([loaded.values.app.model, loaded.values.app.provider, loaded.files]).toEqual([null, "p", [configFile]]);
  chmodSync(configFile, 0o666);
  expect(await place.failure({ configFile })).toEqual({
    code: "config.unreadable",
    message: "/other.toml: others may write to it (mode 0666); use `chmod go-w`",
  });
});

test("a user's file that others may write to stops the start: what it forbids must not get lost", async () => {
  const place = configPlace({ user: "[app]\nmodel = 'a/b'\n" });
  for (const mode of [0o600, 0o644, 0o400, 0o640]) {
    chmodSync(place.userFile, mode);
    expect((await place.load()).values.app.model).toBe("a/b");
  }
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(place.userFile, mode);
    expect(await place.failure()).toEqual({
      code: "config.unreadable",
      message: `/home/config.toml: others may write to it (mode 0${mode.toString(8)}); use \`chmod go-w\``,
    });
  }
});

test.runIf(process.getuid?.() === 0)("a user's file of another user stops the start", async () => {
  const place = configPlace({ user: "[app]\nmodel = 'a/b'\n" });
  chownSync(place.userFile, 4242, 4242);
  expect(await place.failure()).toEqual({
    code: "config.unreadable",
    message: "/home/config.toml: it is owned by another user (uid 4242)",
  });
});

test("what cannot be a configuration file stops the start at once", async () => {
  const place = configPlace();
  const unreadable = async (message: string): Promise<void> =>
    expect(await place.failure()).toEqual({ code: "config.unreadable", message });
  mkdirSync(place.userFile, { mode: 0o700 });
  await unreadable("/home/config.toml: not a regular file");
  const pipe = configPlace();
  execFileSync("mkfifo", ["-m", "600", pipe.userFile]);
  expect((await pipe.failure()).message).toBe("/home/config.toml: not a regular file");
  const large = configPlace({ user: `# ${"x".repeat(1024 * 1024)}` });
  expect((await large.failure()).message).toBe("/home/config.toml: larger than 1048576 bytes");
  const latin = configPlace();
  latin.write(latin.userFile, "");
  execFileSync("sh", ["-c", `printf '\\351' > "${latin.userFile}"`]);
  expect((await latin.failure()).message).toBe("/home/config.toml: not UTF-8 text");
});

test("a user may keep the file elsewhere behind a link", async () => {
  const place = configPlace();
  place.write(join(place.root, "dotfiles", "capstan.toml"), "[app]\nmodel = 'a/b'\n");
  symlinkSync(join(place.root, "dotfiles", "capstan.toml"), place.userFile);
  expect((await place.load()).values.app.model).toBe("a/b");
});
