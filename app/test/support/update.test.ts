import { slowTest } from "@capstan/testkit";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { installerOf } from "../../src/support/installer.ts";
import { newFolder, runWords } from "../run-words.ts";
import { type Ended, startSource } from "../source-process.ts";

const npmPlace = "/usr/lib/node_modules/capstan/cli/main.js";

test.each([
  [npmPlace, "npm", "npm install --global capstan@1.2.3"],
  ["/home/me/.local/share/pnpm/global/5/node_modules/capstan/cli/main.js", "pnpm", "pnpm add --global capstan@1.2.3"],
  ["/home/me/.config/yarn/global/node_modules/capstan/cli/main.js", "yarn", "yarn global add capstan@1.2.3"],
  ["/home/me/.bun/install/global/node_modules/capstan/cli/main.js", "bun", "bun add --global capstan@1.2.3"],
  ["/home/me/.npm/_npx/12ab/node_modules/capstan/cli/main.js", "npx", null],
  ["/somewhere/else/capstan/main.js", "clone", null],
])("what installed %s is %s", (program, name, command) => {
  expect(installerOf(program, "1.2.3")).toMatchObject({ name, command: command?.split(" ") ?? null });
});

test("in a project its own package.json is changed, and a clone is built again by hand", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "package.json"), "{}");
  expect(installerOf(join(folder, "node_modules/capstan/cli/main.js"), "1.2.3")).toEqual({
    name: "project",
    folder,
    command: ["npm", "install", "capstan@1.2.3"],
  });
  mkdirSync(join(folder, ".git"));
  expect(installerOf(join(folder, "dist/cli/main.js"), "1.2.3")).toMatchObject({
    name: "clone",
    folder,
    command: null,
  });
});

test("a newer release is said with the installer's command, which is run after a yes only, each time", async () => {
  const at = await registry(200, "99.0.0");
  const asked = await updated(at, {});
  expect(asked.stdout).toMatch(
    /^capstan 99\.0\.0 is out \(this is [\d.]+\)\.\nnpm install --global capstan@99\.0\.0\n$/,
  );
  expect((await updated(at, { check: true, yes: true })).stdout).toBe(asked.stdout);
  expect(at.runs()).toBe("");
  for (const times of [1, 2]) {
    expect((await updated(at, { yes: true })).code).toBe(0);
    expect(at.runs()).toBe("install --global capstan@99.0.0\n".repeat(times));
  }
  expect(JSON.parse((await updated(at, { json: true, yes: true })).stdout)).toMatchObject({
    latest: "99.0.0",
    newer: true,
    command: "npm install --global capstan@99.0.0",
  });
});

slowTest(
  "an installer that fails is a failure, the newest release is said to be that, and a registry that has none is named",
  async () => {
    const failing = await registry(200, "99.0.0", "exit 3");
    expect((await updated(failing, { yes: true })).code).toBe(1);
    const old = await registry(200, "0.0.1");
    expect((await updated(old, { yes: true })).stdout).toMatch(/^capstan \S+ is the newest release\.\n$/);
    expect(old.runs()).toBe("");
    const empty = await registry(404, "");
    vi.stubEnv("NPM_CONFIG_REGISTRY", empty.url);
    const { code, stderr } = await runWords(["update", "--check"], newFolder());
    expect(code).toBe(1);
    expect(stderr).toContain(`no newest version from ${empty.url}/capstan/latest: it answered 404`);
  },
);

interface Registry {
  readonly url: string;
  readonly path: string;
  /** What npm was called with. */
  readonly runs: () => string;
}

/** A registry, and an npm that notes what it is called with. */
async function registry(status: number, version: string, end = "exit 0"): Promise<Registry> {
  const server = createServer((_request, response) => {
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ name: "capstan", version }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const folder = newFolder();
  const notes = join(folder, "runs");
  writeFileSync(notes, "");
  writeFileSync(join(folder, "npm"), `#!/bin/sh\necho "$@" >> '${notes}'\n${end}\n`);
  chmodSync(join(folder, "npm"), 0o755);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, path: folder, runs: () => readFileSync(notes, "utf8") };
}

async function updated({ url, path }: Registry, flags: object): Promise<Ended> {
  const program = join(path, "lib/node_modules/capstan/cli/main.js");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, "");
  const source = `process.argv[1] = ${JSON.stringify(program)};
    process.exitCode = await subject.update(${JSON.stringify(flags)});`;
  const env = { NPM_CONFIG_REGISTRY: url, PATH: `${path}:${process.env["PATH"] ?? ""}` };
  return await (
    await startSource("support/update.ts", source, { env })
  ).ended;
}

test("the report names machine, versions, sandbox and what was configured, without keys and the path of the home", async () => {
  const home = newFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("ANTHROPIC_API_KEY", "key-that-opens-nothing");
  writeFileSync(
    join(home, "config.toml"),
    '[tui]\nvim = true\n[api_keys]\nopenai = "key-of-mine-1234567890"\n[providers.local]\nwire = "openai-chat"\nbase_url = "http://me:secret-word@localhost:1"\n',
    { mode: 0o600 },
  );
  const { code, stdout } = await runWords(["doctor", "--report"], home);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^## Capstan's report\n\n- capstan \S+, Node \d+[^]*- linux [^]*### Checks[^]*sandbox[^]*- tui\.vim = true \(/,
  );
  expect(stdout).not.toMatch(/key-of-mine|key-that-opens|secret-word/);
  expect(stdout).not.toContain(home);
  expect(await runWords(["doctor", "--report", "--json"], home)).toMatchObject({ code: 2 });
});
