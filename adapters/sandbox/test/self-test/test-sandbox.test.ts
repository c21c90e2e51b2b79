import { slowTest } from "@capstan/testkit";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build, type OutputFile } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Isolation } from "@capstan/protocol";
import { createSandbox } from "../../src/index.ts";
import { holderStartTimeoutMs } from "../../src/limits.ts";
import { makePlace, type Place } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** What the self-test says with this script in place of `bwrap`. */
async function testWith(script: string, place: Place = makePlace()): Promise<Isolation> {
  const bubblewrap = join(place.folder, "bwrap");
  writeFileSync(bubblewrap, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  return await createSandbox({ ...place.options, bubblewrap }).test();
}

async function bundleSelfTest(): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "..", "support", "self-test-process.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    write: false,
  });
  return outputFiles;
}

function reasonOf(isolation: Isolation): string {
  return isolation.type === "none" ? isolation.reason : isolation.type;
}

describe("without a bubblewrap that works there is no isolation, and the reason is reported", () => {
  test("it is not installed", async () => {
    const isolation = await createSandbox(makePlace({ searchPath: "/nowhere:relative" }).options).test();
    expect(isolation).toEqual({ type: "none", reason: "bubblewrap (bwrap) is not installed" });
  });

  test("it cannot be trusted", async () => {
    const place = makePlace();
    const bubblewrap = join(place.folder, "bwrap");
    writeFileSync(bubblewrap, "#!/bin/sh\n");
    const reasonWith = async (mode: number): Promise<string> => {
      chmodSync(bubblewrap, mode);
      return reasonOf(await createSandbox({ ...place.options, bubblewrap }).test());
    };
    expect(await reasonWith(0o777)).toContain("everyone may write to it");
    expect(await reasonWith(0o644)).toContain("not executable");
    expect(reasonOf(await createSandbox({ ...place.options, bubblewrap: "bwrap" }).test())).toContain("not absolute");
  });

  test.skipIf(!hasBubblewrap)("one that commands could have put there is not started, the next one is", async () => {
    const place = makePlace();
    const [bin, elsewhere] = [join(place.workspace, "bin"), join(place.folder, "linked")];
    for (const folder of [bin, elsewhere]) mkdirSync(folder);
    const script = `#!/bin/sh\ntouch ${place.folder}/started\nexec /usr/bin/bwrap "$@"\n`;
    writeFileSync(join(bin, "bwrap"), script, { mode: 0o755 });
    symlinkSync(join(bin, "bwrap"), join(elsewhere, "bwrap"));
    const testOn = (searchPath: string): Promise<Isolation> =>
      createSandbox({ ...place.options, searchPath, open: [place.workspace] }).test();
    expect(await testOn(`${bin}:${elsewhere}:${place.options.searchPath}`)).toEqual({ type: "enforced" });
    expect(reasonOf(await testOn(bin))).toContain("it lies where commands may change it");
    expect(existsSync(join(place.folder, "started"))).toBe(false);
  });

  test("it is another program, or fails", async () => {
    expect(reasonOf(await testWith("exit 0"))).toContain("ended with 0");
    expect(reasonOf(await testWith("head -c 9000 /dev/zero"))).toContain("does not say what it has started");
    expect(reasonOf(await testWith("cat /dev/zero"))).toContain("does not say what it has started");
    expect(reasonOf(await testWith('echo "bwrap: No permissions to create new namespace" >&2; exit 1'))).toContain(
      "No permissions",
    );
    const place = makePlace();
    const bubblewrap = join(place.folder, "bwrap");
    copyFileSync("/bin/true", bubblewrap);
    expect(reasonOf(await createSandbox({ ...place.options, bubblewrap }).test())).toContain("ended with 0");
  });

  slowTest("it hangs", async () => {
    expect(reasonOf(await testWith("exec sleep 1000"))).toContain(
      `did not start within ${holderStartTimeoutMs / 1000} s`,
    );
  });

  test.skipIf(!hasBubblewrap)("nobody may make user namespaces", async () => {
    const nested = 'exec /usr/bin/bwrap --unshare-user --disable-userns --dev-bind / / -- /usr/bin/bwrap "$@"';
    expect((await testWith(nested)).type).toBe("none");
  });
});

describe.skipIf(!hasBubblewrap)("the self-test shows what is possible from inside (needs bubblewrap)", () => {
  test("a network that is shared: nothing is started in it", async () => {
    const isolation = await testWith('from=$2; shift 3; exec /usr/bin/bwrap --args $from --share-net -- "$@"');
    expect(reasonOf(isolation)).toContain("did not start a command: it ended with 127");
  });

  test("a filter that is left out, capabilities that are kept, the machine's folders left open", async () => {
    const change = "sed -z '/^--seccomp$/,+1d; /^--cap-drop$/,+1d; s/^--ro-bind$/--bind/'";
    const isolation = await testWith(`eval "exec $2< <(${change} <&$2)"; exec /usr/bin/bwrap "$@"`);
    const lacks = isolation.type === "partial" ? isolation.lacks : [];
    expect(lacks).toContain("connect to Unix sockets");
    expect(lacks).toContain("set the clock");
    expect(lacks).toContain("use every system call");
    expect(lacks.some((lack) => lack.startsWith("write to /etc/"))).toBe(process.getuid?.() === 0);
  });

  test("as an ordinary user it says the same as for root", async () => {
    // Such a user may be unable to read the repository.
    const folder = mkdtempSync("/var/tmp/capstan-self-test-");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const script = join(folder, "self-test.mjs");
    const [built] = await bundleSelfTest();
    writeFileSync(script, built?.text ?? "", { mode: 0o644 });
    const { stdout, status } = spawnSync(process.execPath, [script], {
      encoding: "utf8",
      ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      env: { PATH: "/usr/bin:/bin", TMPDIR: "/var/tmp" },
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{"type":"enforced"}\n' });
  });
});
