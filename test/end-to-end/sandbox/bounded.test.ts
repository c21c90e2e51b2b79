import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { slowTest, sampled } from "@capstan/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { callCommand, furnish } from "./sandbox-place.ts";

const place = usePlace();
beforeEach(() => furnish(place));

slowTest("a gigabyte of output is held in bounds", async () => {
  const { details, text } = await callCommand(place, { command: "head -c 1000000000 /dev/zero | tr '\\0' x" });
  expect(details).toMatchObject({ exitCode: 0, stdoutBytes: 1_000_000_000, truncated: true });
  expect(text.length).toBeLessThan(120_000);
});

// The system exempts root from this limit.
test.skipIf(process.getuid?.() === 0)(
  "a command has no more processes than it may have, and the result says so",
  async () => {
    const many = "for n in $(seq 200); do sleep 20 & done; kill $(jobs -p); exit 3";
    const { text } = await callCommand(place, { command: many }, ["--set", "sandbox.max_processes=32"]);
    expect(text).toMatch(/Resource temporarily unavailable[^]*\[Sandbox: it may have met the limit on processes/);
  },
);

slowTest("a file beyond the limit ends its writer, and the result says so", async () => {
  const { text, details } = await callCommand(place, { argv: ["dd", "if=/dev/zero", "of=large", "bs=1M", "count=3"] }, [
    "--set",
    "sandbox.max_file_mb=1",
  ]);
  expect(details).not.toMatchObject({ exitCode: 0 });
  expect(text).toMatch(/\[Sandbox: it (?:wrote a file beyond|may have met) the limit on file sizes/);
});

test.runIf(process.arch === "x64")(
  "a system call of another kind ends the program, and the result says so",
  async () => {
    // The x32 form of getpid.
    const { text } = await callCommand(place, { argv: ["perl", "-e", "syscall(0x40000000 + 39)"] });
    expect(text).toMatch(/as after the signal SIGSYS\n[^]*\[Sandbox: it used a system call that the sandbox forbids/);
  },
);

describe("what a command asks for beyond the sandbox", () => {
  test("a directory outside: without asking it is read-only, with it it is written", async () => {
    mkdirSync(join(place.folder, "outside", "cache"));
    const path = join(place.folder, "outside", "cache");
    // /tmp is another one inside, so that what lies there is not even seen.
    const without = await callCommand(place, { command: `touch ${path}/a` });
    const withIt = await callCommand(place, { command: `touch ${path}/b && ls ${path}`, writable: [path] });
    expect([without.details["exitCode"], withIt.details["exitCode"]]).toEqual([1, 0]);
  });

  test.each<[string, object, readonly string[], string]>(
    sampled(
      [
        ["outside without a reason", { argv: ["id"], outside_sandbox: true }, [], "justification"],
        [
          "outside in plan mode",
          { argv: ["id"], outside_sandbox: true, justification: "x" },
          ["--permission-mode", "plan"],
          "Plan mode",
        ],
        [
          "network in plan mode",
          { argv: ["id"], network: ["example.org"] },
          ["--permission-mode", "plan"],
          "Plan mode",
        ],
        [
          "outside where there is no sandbox",
          { argv: ["id"], outside_sandbox: true, justification: "x" },
          ["--set", "sandbox.mode=off"],
          "no sandbox",
        ],
        ["the system", { argv: ["id"], writable: ["/etc"] }, [], "belongs to the system"],
        ["a path in the system", { argv: ["id"], writable: ["/usr/share"] }, [], "belongs to the system"],
        ["the root", { argv: ["id"], writable: ["/"] }, [], "home directory"],
        ["the home", { argv: ["id"], writable: ["~"] }, [], "home directory"],
        ["a place that is not there", { argv: ["id"], writable: ["/no/such/place"] }, [], "not there"],
        ["a URL", { argv: ["id"], network: ["https://example.org"] }, [], "is no host"],
        ["a star", { argv: ["id"], network: ["*.example.org"] }, [], "is no host"],
        ["letters of another script", { argv: ["id"], network: ["exаmple.org"] }, [], "is no host"],
        ["an address in disguise", { argv: ["id"], network: ["0x7f.1"] }, [], "is no host"],
      ],
      1,
    ),
  )("%s is refused", async (_name, args, flags, why) => {
    const { type, text } = await callCommand(place, args, flags);
    expect(["denied", "rejected"]).toContain(type);
    expect(text).toContain(why);
  });

  test("Capstan's own folder is refused", async () => {
    const { type, text } = await callCommand(place, { argv: ["id"], writable: [place.data] });
    expect({ type, why: /own files/.test(text) }).toEqual({ type: "denied", why: true });
  });

  slowTest("outside the sandbox, with a reason, it is outside", async () => {
    const { text } = await callCommand(place, {
      command: "echo $PPID; cat ../home/private.txt",
      outside_sandbox: true,
      justification: "it needs the home",
    });
    expect(text).toContain("very-private");
  });
});
