import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../src/index.ts";
import { makePlace, runInside } from "./support/bench-place.ts";
import { hasBubblewrap } from "./support/has-bubblewrap.ts";

/** What a workspace holds, names only. */
function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).toSorted();
}

describe.skipIf(!hasBubblewrap)("a sandbox (needs bubblewrap)", () => {
  test("is enforced where all it tries from inside fails", async () => {
    expect(await createSandbox(makePlace().options).test()).toEqual({ type: "enforced" });
  });

  test.each([".nvm/versions/node/v22.0.0/bin/node", "../elsewhere/node-22/bin/node"])(
    "is enforced where Node.js lies in %s",
    async (name) => {
      const { home } = makePlace();
      const node = join(home, name);
      mkdirSync(dirname(node), { recursive: true });
      writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
      const place = makePlace({ home, node });
      expect(await createSandbox(place.options).test()).toEqual({ type: "enforced" });
    },
  );

  test("does not start from a bubblewrap that commands may change, the second time neither", async () => {
    const place = makePlace();
    const bin = join(place.workspace, "bin");
    mkdirSync(bin);
    copyFileSync(execFileSync("which", ["bwrap"], { encoding: "utf8" }).trim(), join(bin, "bwrap"));
    const sandbox = createSandbox({ ...place.options, searchPath: `${bin}:${place.options.searchPath}` });
    for (const time of [1, 2]) {
      await expect(runInside(place, `echo ${time}`, { sandbox })).rejects.toMatchObject({
        code: "sandbox.failed",
        message: expect.stringContaining("where commands may change it"),
      });
    }
  });

  test("lets a program change the workspace, and gives back its exit code", async () => {
    const place = makePlace();
    const ended = await runInside(place, "echo hello > file; cat file; exit 7");
    expect({ ...ended, file: readFileSync(join(place.workspace, "file"), "utf8") }).toEqual({
      code: 7,
      output: "hello\n",
      report: {
        runsLater: [],
        quarantined: [],
        refusedHosts: [],
        reach: { open: [place.workspace], shut: [] },
      },
      file: "hello\n",
    });
  });

  test("shows nothing of the home and of Capstan's data", async () => {
    const place = makePlace();
    writeFileSync(join(place.home, "secret"), "canary");
    writeFileSync(join(place.home, ".capstan", "journal"), "canary");
    const { output } = await runInside(
      place,
      `cat ${place.home}/secret ${place.home}/.capstan/journal; ls -A ${place.home}`,
    );
    expect(output.includes("canary")).toBe(false);
    expect(output.endsWith("\nwork\n")).toBe(true);
  });

  test("passes nothing of Capstan's own environment and descriptors on", async () => {
    const place = makePlace();
    const { output } = await runInside(place, "env | sort | grep -v '^_='; ls /proc/self/fd", {
      environment: { CAPSTAN_RUN: "mark" },
    });
    expect(output.split("\n")).toEqual([
      "CAPSTAN_RUN=mark",
      `HOME=${place.home}`,
      "PATH=/usr/local/bin:/usr/bin:/bin",
      `PWD=${place.workspace}`,
      "SHLVL=1",
      "TMPDIR=/tmp",
      "0",
      "1",
      "2",
      "3",
      "",
    ]);
  });

  test("makes nothing in the workspace: a program sees what is there, and nothing else", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "notes.md"), "one\n");
    const { output } = await runInside(place, "ls -A; wc -l *.md; cp -r . /tmp/copy; ls -A /tmp/copy; rmdir .vscode");
    expect(output).toContain("notes.md\n1 notes.md\nnotes.md\n");
    expect(output).toContain("No such file");
    expect(namesIn(place.workspace)).toEqual(["notes.md"]);
  });

  test("keeps what editors, shells and further agents obey, and moves away what of it is new", async () => {
    const place = makePlace();
    const names = [".husky/pre-commit", ".envrc", ".devcontainer/devcontainer.json", ".cursorrules", ".githooks/x"];
    for (const name of names) {
      mkdirSync(dirname(join(place.workspace, "sub", name)), { recursive: true });
      writeFileSync(join(place.workspace, "sub", name), "as it was");
    }
    const change = names.map(
      (name) => `echo evil > sub/${name}; rm sub/${name}; mkdir -p "$(dirname ${name})"; echo x > ${name}`,
    );
    const { report } = await runInside(place, change.join("; "));
    const texts = names.map((name) => readFileSync(join(place.workspace, "sub", name), "utf8"));
    expect(new Set(texts)).toEqual(new Set(["as it was"]));
    const moved = names.map((name) => name.split("/")[0]);
    expect(report.quarantined.map(({ path }) => path).toSorted()).toEqual(moved.toSorted());
    expect(namesIn(place.workspace)).toEqual(["sub"]);
  });

  test("keeps a repository's hooks and settings, and lets it be committed to", async () => {
    const place = makePlace();
    execFileSync("git", ["init", "-q", place.workspace]);
    const attack = [
      "git -c user.name=a -c user.email=b commit -q --allow-empty -m hi && echo committed",
      "echo evil > .git/hooks/pre-commit",
      "git config core.fsmonitor evil",
      "mv .git .g2",
      "rm -rf .git/hooks",
      "mkdir -p .git/hooks && ln -sf /bin/true .git/hooks/post-commit",
    ].join("; ");
    const before = readFileSync(join(place.workspace, ".git", "config"), "utf8");
    const { output } = await runInside(place, attack);
    expect(output.startsWith("committed\n")).toBe(true);
    expect(readFileSync(join(place.workspace, ".git", "config"), "utf8")).toBe(before);
    expect(namesIn(join(place.workspace, ".git", "hooks")).filter((name) => !name.endsWith(".sample"))).toEqual([]);
  });

  test("puts back a link that was replaced, and says so", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "AGENTS.md"), "as it was");
    symlinkSync("AGENTS.md", join(place.workspace, "CLAUDE.md"));
    const { report } = await runInside(place, "rm CLAUDE.md; echo evil > CLAUDE.md; echo evil > AGENTS.md");
    expect(readFileSync(join(place.workspace, "CLAUDE.md"), "utf8")).toBe("as it was");
    expect(report.runsLater).toEqual([expect.stringContaining("CLAUDE.md was replaced")]);
  });

  test("says when not all of the workspace was looked at", async () => {
    const place = makePlace();
    expect((await runInside(place, "mkdir -p a/b")).report.runsLater).toEqual([]);
    mkdirSync(join(place.workspace, ...Array.from({ length: 30 }, () => "deep")), { recursive: true });
    expect((await runInside(place, "true")).report.runsLater).toEqual([expect.stringContaining("too deep")]);
  });

  test("closes protected files", async () => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "sub", ".ssh"), { recursive: true });
    for (const name of [".env", "sub/.env.local", "sub/key.pem", "sub/.ssh/id"]) {
      writeFileSync(join(place.workspace, name), "canary");
    }
    const { output } = await runInside(
      place,
      "cat .env sub/.env.local sub/key.pem sub/.ssh/id; mv .env x; cp -r . /tmp/copy; grep -r canary /tmp/copy",
    );
    expect(output.includes("canary")).toBe(false);
  });

  test("has no network without hosts, but its own loopback", async () => {
    const place = makePlace();
    const script = `
      const net = require("node:net");
      const report = (what) => (error) => console.log(what, error.code);
      net.connect(80, "192.0.2.1").on("error", report("tcp"));
      net.connect("/run/any.sock").on("error", report("unix"));
      require("node:dns").lookup("example.org", (error) => console.log("dns", error.code));
      const server = net.createServer((socket) => socket.end("own")).listen(0, "127.0.0.1", () =>
        net.connect(server.address().port, "127.0.0.1").on("data", (text) => { console.log(String(text)); server.close(); }));`;
    const { output } = await runInside(place, `"$NODE" -e '${script}' | sort`, {
      environment: { NODE: process.execPath },
    });
    expect(output).toBe("dns EAI_AGAIN\nown\ntcp ENETUNREACH\nunix EPERM\n");
  });

  test("read-only workspaces stay as they are", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "file"), "same");
    const { output } = await runInside(
      place,
      "echo x > file; echo x > new; rm file; echo ok > /tmp/own && cat /tmp/own",
      {
        confinement: { workspace: "read" },
      },
    );
    expect(output.endsWith("ok\n")).toBe(true);
    expect(namesIn(place.workspace)).toEqual(["file"]);
    expect(existsSync("/tmp/own")).toBe(false);
  });
});
