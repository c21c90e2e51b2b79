import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inCapstanPlace } from "../../stage/capstan-place.ts";
import { inFilePlace, textOf } from "../../stage/file-place.ts";
import { runBare } from "../../stage/bare-shell.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** What Capstan may take of memory, in MiB, however much a command writes. */
const memoryLimitMib = 256;
const mib = 1024 * 1024;

/** D1: a command writes more than anybody can hold. */
export function outputFloods(): readonly Attack[] {
  return floods.map(({ name, script }): Attack => ({
    row: "D1",
    input: name,
    attempt: async () =>
      inCapstanPlace(async (place) => {
        const peak = join(place.base, "peak");
        const meter = join(place.base, "meter.cjs");
        writeFileSync(meter, meterScript);
        const env = { NODE_OPTIONS: `--require ${meter}`, PEAK_FILE: peak };
        const call = JSON.stringify({ command: script, timeout_seconds: 60 });
        const run = await place.start(["tools", "call", "run_command", call, "--json"], { env });
        if (!run.stdout.includes('"truncated":true')) throw new Error(`no flood: ${run.stdout.slice(0, 200)} ${run.stderr}`);
        const peakMib = Number(readFileSync(peak, "utf8")) / 1024;
        return outcome(peakMib > memoryLimitMib || run.stdout.length > mib, `${Math.round(peakMib)} MiB at most, ${run.stdout.length} characters reported`);
      }),
    control: async () => {
      const peakMib = await accumulate(script);
      return outcome(peakMib > memoryLimitMib, `${Math.round(peakMib)} MiB at most`);
    },
  })); // prettier-ignore
}

/** Reports, at the end of a process, the most memory it ever had, in KiB. Children of it have no such variable. */
const meterScript = `process.once("exit", () => require("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`;

const floods: readonly { readonly name: string; readonly script: string }[] = [
  { name: "a gigabyte without a line end", script: "head -c 1000000000 /dev/zero | tr '\\0' x" },
  { name: "errors", script: "head -c 500000000 /dev/zero | tr '\\0' y >&2" },
  { name: "zeros and other bytes", script: "head -c 500000000 /dev/zero" },
  { name: "lines", script: "yes line | head -c 500000000" },
];

/** What a careless agent does with output, in a process of its own. @returns its most memory, in MiB */
function accumulate(script: string): Promise<number> {
  const program = `
    const child = require("node:child_process").spawn("bash", ["-c", process.argv[1]]);
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => pieces.push(piece));
    // Enough is proved; the machine has others to serve.
    setInterval(() => process.memoryUsage.rss() > ${memoryLimitMib * 1.5 * mib} && child.kill(), 5).unref();
    child.on("close", () => process.stdout.write(String(process.resourceUsage().maxRSS)));`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["-e", program, script], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
    child.once("error", reject);
    child.once("close", () => resolve(Number(text) / 1024));
  });
}

/** D5: a command that takes processes, memory or room on the disk; bounded, so that the control does no harm. */
export function exhaustion(): readonly Attack[] {
  // The system exempts root from its limit on processes, in a sandbox, too.
  const held = process.getuid?.() === 0 ? hogs.filter(({ name }) => !name.startsWith("processes")) : hogs;
  return held.map(({ name, script, took }): Attack => ({
    row: "D5",
    input: name,
    attempt: async () =>
      inFilePlace(
        async (place) => {
          const text = textOf(await place.call("run_command", { command: script("/tmp"), timeout_seconds: 30 }));
          return outcome(took(text, place.cwd), text.slice(0, 120));
        },
        {
          confined: true,
          mode: "accept-edits",
          limits: { processes: 40, memoryBytes: 256 * mib, fileBytes: mib, temporaryBytes: 4 * mib },
        },
      ),
    control: async () =>
      inFilePlace(async (place) => {
        const { output } = await runBare(script(place.home), place.cwd, { PATH: process.env["PATH"] });
        return outcome(took(output, place.cwd), output.slice(0, 120));
      }),
  }));
}

interface Hog {
  readonly name: string;
  /** @param room  a folder for what it writes */
  readonly script: (room: string) => string;
  /** Whether it got more than its share. @param text  what it said of it */
  readonly took: (text: string, cwd: string) => boolean;
}

const hogs: readonly Hog[] = [
  {
    name: "processes",
    script: () =>
      `perl -e 'my @p; for (1..120) { my $p = fork(); last unless defined $p; if (!$p) { sleep 20; exit } push @p, $p } print "forked ".@p."\\n"; kill 9, @p'`,
    took: (text) => Number(/forked (\d+)/.exec(text)?.[1] ?? 0) > 40,
  },
  {
    name: "processes that leave their group",
    script: () =>
      `perl -e 'my $n = 0; for (1..120) { my $p = fork(); last unless defined $p; if (!$p) { setpgrp; sleep 3; exit } $n++ } print "forked $n\\n"'`,
    took: (text) => Number(/forked (\d+)/.exec(text)?.[1] ?? 0) > 40,
  },
  {
    name: "memory",
    script: () => `perl -e 'my $x = "x" x (400*1024*1024); print "held ".length($x)."\\n"'`,
    took: (text) => text.includes(`held ${400 * mib}`),
  },
  {
    name: "one large file",
    script: () => `dd if=/dev/zero of=large bs=1M count=8 2>&1; ls -l large | awk '{print "wrote "$5}'`,
    took: (text) => Number(/wrote (\d+)/.exec(text)?.[1] ?? 0) > mib,
  },
  {
    name: "a file with a hole",
    script: () => `truncate -s 64M large 2>&1; ls -l large | awk '{print "wrote "$5}'`,
    took: (text, cwd) => Number(/wrote (\d+)/.exec(text)?.[1] ?? 0) > mib && readdirSync(cwd).includes("large"),
  },
  {
    name: "many temporary files",
    script: (room) =>
      `for i in $(seq 24); do head -c 1000000 /dev/zero > ${room}/f$i 2>/dev/null || break; done; du -sk ${room} | awk '{print "filled "$1}'`,
    took: (text) => Number(/filled (\d+)/.exec(text)?.[1] ?? 0) > 5 * 1024,
  },
];
