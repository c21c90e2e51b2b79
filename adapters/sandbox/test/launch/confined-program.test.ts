import { runs, slowTest } from "@capstan/testkit";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { runProgram } from "../support/run-program.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** Numbers of processes in whose arguments a text occurs. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && name !== String(process.pid) && argumentsOf(name).includes(text),
  );
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Looks again and again, a thousand times at most: ends as soon as it is so. */
async function becomes(isSo: () => boolean): Promise<boolean> {
  for (let look = 0; look < 1_000 && !isSo(); look += 1) {
    await once(spawn("sleep", ["0.01"]), "exit");
  }
  return isSo();
}

/** A daemon that nothing but the end of its namespace can find: out of the session, the environment cleared. */
function daemon(mark: string): string {
  return `env -i setsid nohup sleep ${mark} >/dev/null 2>&1 & (trap '' TERM HUP; setsid sleep ${mark} &) >/dev/null 2>&1`;
}

/** Seconds that no other test sleeps. */
function uniqueSeconds(): string {
  return `9${process.pid}${Math.trunc(performance.now() * 1_000)}`;
}

/** What it prints of its own rights. */
async function statusIn(place: Place): Promise<string> {
  const { output } = await runInside(
    place,
    "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -d ' \\t'",
  );
  return output;
}

const fetchScript = (port: number): string =>
  `exec 2>&1; for i in 1 2 3 4 5 6; do curl -sS -m 20 http://localhost:${port}/$i & done; wait; curl -sS -m 20 -p http://localhost:${port}/tunnel; curl -sS -m 20 http://other.example/; curl -sS -m 20 --noproxy '*' http://127.0.0.1:${port}/direct; exit 9`;

describe.skipIf(!hasBubblewrap)("nothing lives on (needs bubblewrap)", () => {
  test("when the command has ended, nothing that it left behind runs", async () => {
    const mark = uniqueSeconds();
    const { code } = await runInside(makePlace(), `${daemon(mark)}; exit 3`);
    expect([code, processesWith(mark)]).toEqual([3, []]);
  });

  test("when Capstan is killed, its commands and their daemons are, too; the next start clears away what is left", async () => {
    const place = makePlace();
    const mark = uniqueSeconds();
    writeFileSync(join(place.workspace, "rules"), "as it was");
    symlinkSync("rules", join(place.workspace, "CLAUDE.md"));
    const script = `${daemon(mark)}; rm CLAUDE.md; echo evil > CLAUDE.md; echo evil > AGENTS.md; echo ready; sleep ${mark}`;
    const helper = join(import.meta.dirname, "..", "support", "killed-process.ts");
    const { stateDirectory } = place.options;
    const args = [
      "--conditions=source",
      "--import",
      "tsx",
      helper,
      place.home,
      stateDirectory,
      place.workspace,
      script,
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(processesWith(mark).length >= 3).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await becomes(() => processesWith(mark).length === 0)).toBe(true);
    expect(existsSync(join(place.workspace, "AGENTS.md"))).toBe(true);
    await createSandbox(place.options).test();
    expect(readdirSync(place.workspace).filter((name) => !name.includes("set-aside"))).toEqual(["CLAUDE.md", "rules"]);
    expect(readlinkSync(join(place.workspace, "CLAUDE.md"))).toBe("rules");
    expect(readdirSync(join(stateDirectory, "runs"))).toEqual([]);
  });

  slowTest("without the sandbox such a daemon lives on", async () => {
    const mark = uniqueSeconds();
    const child = spawn("/bin/bash", ["-c", `${daemon(mark)}; exit 3`], { detached: true, stdio: "ignore" });
    await once(child, "exit");
    // Both become `sleep` a moment after the shell has ended; before that their number comes and goes.
    const asleep = (): readonly string[] => processesWith(mark).filter((pid) => argumentsOf(pid).startsWith("sleep\0"));
    const isThere = await becomes(() => asleep().length === 2);
    for (const pid of processesWith(mark)) process.kill(Number(pid), "SIGKILL");
    expect(isThere).toBe(true);
  });

  test("many commands, beside and after one another, leave no mounts, files, processes or descriptors", async () => {
    const place = makePlace();
    const sandbox = createSandbox(place.options);
    const mounts = mountsOf(place);
    const descriptors = readdirSync("/proc/self/fd").length;
    const mark = uniqueSeconds();
    // CAPSTAN_SANDBOX_RUNS=1000 for the long form.
    const times = Number(process.env["CAPSTAN_SANDBOX_RUNS"] ?? 20);
    const run = async (): Promise<number | null> =>
      (await runInside(place, `${daemon(mark)}; exit 5`, { sandbox })).code;
    const beside = await Promise.all(Array.from({ length: runs(50) }, run));
    const after: (number | null)[] = [];
    for (let index = 0; index < times; index += 1) after.push(await run());
    expect(new Set([...beside, ...after])).toEqual(new Set([5]));
    expect(processesWith(mark)).toEqual([]);
    expect(readdirSync(place.workspace)).toEqual([]);
    expect(readdirSync(place.options.stateDirectory).toSorted()).toEqual(["closed-file", "closed-folder", "runs"]);
    expect(readdirSync(join(place.options.stateDirectory, "runs"))).toEqual([]);
    expect(mountsOf(place)).toEqual(mounts);
    await sandbox.endSession("");
    // What an earlier test file left may be closed meanwhile: nothing is added, and nothing leads into the place.
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(descriptors);
    expect(descriptorsBelow(dirname(place.workspace))).toEqual([]);
  });
});

describe.skipIf(!hasBubblewrap)("a program in the sandbox (needs bubblewrap)", () => {
  test("has no rights of its own, whoever runs Capstan", async () => {
    expect(await statusIn(makePlace())).toBe(
      "CapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\nSeccomp:2\n",
    );
  });

  test("cannot reach what is around it, and could without the sandbox", async () => {
    const place = makePlace();
    const reading = join(place.folder, "letter");
    writeFileSync(reading, "private");
    const attempts = [
      "unshare -U true",
      "unshare -m true",
      `kill -0 ${process.pid}`,
      `cat /proc/${process.pid}/environ > /dev/null`,
      `cat ${reading}`,
      "python3 -c 'import socket; socket.socket(socket.AF_UNIX)'",
      "strace -o /dev/null true",
    ];
    const script = attempts
      .map((attempt) => `${attempt} 2>/dev/null >&2 && echo ${JSON.stringify(attempt)}`)
      .join("; ");
    const { output } = await runInside(place, script);
    expect(output).toBe("");
    const outside = spawnSync("/bin/bash", ["-c", script], { encoding: "utf8" });
    expect(outside.stdout.split("\n").length >= 5).toBe(true);
  });

  test("has limits on files, memory and temporary space", async () => {
    const limits = { fileBytes: 1024 ** 2, memoryBytes: 256 * 1024 ** 2, temporaryBytes: 2 * 1024 ** 2 };
    const place = makePlace({ limits });
    const tries = [
      "head -c 4000000 /dev/zero > big; wc -c < big; rm big",
      "head -c 900000 /dev/zero > /tmp/a && head -c 900000 /dev/zero > /tmp/b && head -c 900000 /dev/zero > /tmp/c; echo $?",
      'python3 -c "x = bytearray(400 * 1024 * 1024)" 2>&1 | tail -1',
      "grep core.file /proc/self/limits | tr -s ' '",
    ];
    const { output } = await runInside(place, `trap '' XFSZ; (${tries.join(") 2>/dev/null; (")})`);
    expect(output).toBe("1048576\n1\nMemoryError\nMax core file size 0 0 bytes \n");
  });

  test("a program that is not there ends with 127, one that a signal ends with 128 and its number", async () => {
    const place = makePlace();
    const program = await createSandbox(place.options).enter({
      workspace: { cwd: place.workspace, roots: [place.workspace] },
      confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
      file: "no-such-program",
      args: [],
      cwd: place.workspace,
      environment: { PATH: "/usr/bin:/bin" },
    });
    expect((await runProgram(program)).code).toBe(127);
    expect((await runInside(place, "kill -9 $$")).code).toBe(137);
  });

  test("that was never started leaves nothing", async () => {
    const place = makePlace();
    const program = await enterPlace(place, "true", { confinement: { hosts: ["example.org"] } });
    expect(await program.finish()).toEqual({
      runsLater: [],
      quarantined: [],
      refusedHosts: [],
      reach: { open: [place.workspace], shut: [] },
    });
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  test("writes where it was allowed to besides, and keeps out of what governs there", async () => {
    const place = makePlace();
    const extra = join(place.home, "extra");
    mkdirSync(extra);
    writeFileSync(join(extra, "AGENTS.md"), "rules");
    const { output, report } = await runInside(
      place,
      `echo x > ${extra}/made; echo x > ${extra}/CLAUDE.md; echo x > ${extra}/AGENTS.md; echo x > ${place.home}/lost; echo x > lost`,
      {
        confinement: { writable: [extra], workspace: "read" },
      },
    );
    expect(output.match(/Read-only file system/g)?.length).toBe(2);
    expect(report.quarantined.map(({ path }) => path)).toEqual(["../extra/CLAUDE.md"]);
    expect(readFileSync(join(extra, "AGENTS.md"), "utf8")).toBe("rules");
    expect([readdirSync(extra), existsSync(join(place.home, "lost"))]).toEqual([["AGENTS.md", "made"], false]);
  });
});

describe.skipIf(!hasBubblewrap)("a program with hosts (needs bubblewrap)", () => {
  test("reaches them through the proxy, and no others", async () => {
    const server = createServer((message, response) => response.end(`got ${message.url}\n`)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const place = makePlace();
    const { code, output, report } = await runInside(place, fetchScript(port), {
      confinement: { hosts: [`localhost:${port}`] },
    });
    expect(output.match(/^got .*$/gm)?.toSorted()).toEqual([
      "got /1",
      "got /2",
      "got /3",
      "got /4",
      "got /5",
      "got /6",
      "got /tunnel",
    ]);
    expect(output).toContain("other.example:80 is not open to commands.");
    expect(code).toBe(9);
    expect(report.refusedHosts).toEqual(["other.example:80"]);
  });

  test("a grant that names no host is an error", async () => {
    const place = makePlace();
    await expect(runInside(place, "true", { confinement: { hosts: ["http://x"] } })).rejects.toThrow("names no host");
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  test("is carried by no process of ours, and what one command may reach is closed to the others of its session", async () => {
    const place = makePlace();
    const sandbox = createSandbox(place.options);
    const server = createServer((_message, response) => response.end("served\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `http://localhost:${port}/`;
    const counted = "echo /proc/[0-9]*";
    const confinement = { hosts: [`localhost:${port}`] };
    const first = await runInside(place, `${counted}; echo $HTTP_PROXY; curl -sS ${url}`, { sandbox, confinement });
    const [processes, proxy = "", served] = first.output.split("\n");
    expect([served, (await runInside(place, counted, { sandbox })).output]).toEqual(["served", `${processes}\n`]);
    // The word ended with its command; without one there is nothing to be reached, but the port is the same for all.
    const tries = [proxy, proxy.replace(/:\/\/.*@/, "://")].map((each) => `curl -sSi --noproxy '' -x ${each} ${url}`);
    for (const confined of [{}, { hosts: ["example.org"] }]) {
      const { output } = await runInside(place, tries.join("; "), { sandbox, confinement: confined });
      expect(output.match(/^HTTP\/1.1 407 .*$/gm)?.length).toBe(2);
      expect(output).not.toContain("served");
    }
  });
});

/** What this process has open below a folder. */
/** The mounts that have to do with the place or with bubblewrap; other test files mount folders of their own meanwhile. */
function mountsOf(place: { readonly workspace: string }): readonly string[] {
  const ours = new RegExp(`${dirname(place.workspace)}|newroot|oldroot|bwrap`);
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => ours.test(line));
}

function descriptorsBelow(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(`${folder}/`) ? [target] : [];
    } catch {
      // The descriptor of this very look is closed already.
      return [];
    }
  });
}
