import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { enterPlace, makePlace, runInside } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { runProgram } from "../support/run-program.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** Ends after three connections. */
const serve = `let left = 3; const server = require("node:net").createServer((socket) => { socket.end("served"); left -= 1; if (left === 0) server.close(); }).listen(7001, "127.0.0.1", () => console.log("ready"))`;
const fetchIt = `require("node:net").connect(7001, "127.0.0.1").on("data", (text) => console.log(String(text))).on("error", (error) => console.log(error.code))`;

describe.skipIf(!hasBubblewrap)("commands of one session (needs bubblewrap)", () => {
  for (const user of users) {
    test(`share /tmp and home, and each has its own processes, run by ${user.name}`, async () => {
      const place = makePlace();
      const [first, second] = await user.runTogether(place, [
        "echo kept > /tmp/a; echo kept > ~/b; (setsid sleep 1000 &) > /dev/null 2>&1; id -u > mine",
        "cat /tmp/a ~/b; ls /proc | grep -c '^[0-9]'; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status | tr -d '\\t'",
      ]);
      expect(first?.code).toBe(0);
      // bwrap's own first process, the shell, and what counts.
      const lines = second?.output.trim().split("\n") ?? [];
      expect([lines.slice(0, 2), Number(lines[2]) <= 5, lines.slice(3)]).toEqual([
        ["kept", "kept"],
        true,
        ["CapEff:0000000000000000", "NoNewPrivs:1"],
      ]);
      expect(readdirSync(place.workspace)).toEqual(["mine"]);
    });

    test(`cannot change what covers them, and cover what is new, run by ${user.name}`, async () => {
      const place = makePlace();
      writeFileSync(join(place.workspace, ".env"), "canary");
      const outputs = await user.runTogether(place, [
        "cat .env; umount .env; mount -o remount,rw /usr; mkdir sub; echo canary > sub/.env; cat sub/.env",
        "cat .env sub/.env; mv sub moved; cat moved/.env",
        "cat moved/.env",
      ]);
      expect(outputs.map(({ output }) => output.match(/^canary$/gm)?.length ?? 0)).toEqual([1, 0, 0]);
    });
  }

  test("reach each other on their own network, and nobody else does", async () => {
    const place = makePlace();
    const sandbox = createSandbox(place.options);
    const environment = { NODE: process.execPath };
    const server = await enterPlace(place, `exec "$NODE" -e '${serve}' > ready`, { sandbox, environment });
    const running = runProgram(server);
    const script = `while ! grep -qs ready ready; do sleep 0.01; done; "$NODE" -e '${fetchIt}'`;
    expect((await runInside(place, script, { sandbox, environment })).output).toBe("served\n");
    const hosts = ["example.org"];
    const withHosts = await runInside(place, script, { sandbox, environment, confinement: { hosts } });
    expect(withHosts.output).toBe("served\n");
    expect((await runInside(place, script, { environment })).output).toBe("ECONNREFUSED\n");
    expect((await runInside(place, "kill -9 -1; echo alive", { sandbox })).output).toContain("alive");
    expect((await runInside(place, script, { sandbox, environment })).output).toBe("served\n");
    expect((await running).code).toBe(0);
  });

  test("find protected what somebody replaced between them, and a workspace that is another one", async () => {
    const place = makePlace();
    const sandbox = createSandbox(place.options);
    const path = join(place.workspace, ".env");
    writeFileSync(path, "canary");
    await runInside(place, "echo kept > /tmp/a", { sandbox });
    for (const round of ["1", "2"]) {
      writeFileSync(`${path}.new`, "canary");
      renameSync(`${path}.new`, path);
      const { output } = await runInside(place, "cat .env; cat /tmp/a", { sandbox });
      expect([round, output.includes("canary"), output.endsWith("kept\n")]).toEqual([round, false, true]);
    }
    renameSync(place.workspace, `${place.workspace}-old`);
    mkdirSync(place.workspace);
    writeFileSync(path, "canary");
    writeFileSync(join(place.workspace, "other"), "other");
    const { output } = await runInside(place, "cat .env; cat other; echo new > made", { sandbox });
    expect(output.includes("canary")).toBe(false);
    expect([output.endsWith("other"), readFileSync(join(place.workspace, "made"), "utf8")]).toEqual([true, "new\n"]);
  });

  test("have what the mode of each allows, in one and the same session", async () => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "dist", ".claude"), { recursive: true });
    const sandbox = createSandbox(place.options);
    const script =
      "echo x > made; echo x > dist/made; echo x > dist/.claude/x; ls made dist/made 2>/dev/null; rm -f made dist/made";
    const outputs = [];
    for (const workspace of ["write", "read", "build", "write"] as const) {
      const { output } = await runInside(place, `(${script}) 2>/dev/null`, { sandbox, confinement: { workspace } });
      outputs.push(output);
    }
    expect(outputs).toEqual(["dist/made\nmade\n", "", "dist/made\n", "dist/made\nmade\n"]);
  });
});

describe.skipIf(!hasBubblewrap)("files for the home (needs bubblewrap)", () => {
  // The machine's /tmp is not seen inside, so that a home there has another name.
  test("are found in it, are a session's own to change, and let nothing of the user's through", async () => {
    const homeFiles = [
      { path: ".settings", content: "given\n" },
      { path: ".config/deep/er", content: "deep\n" },
    ];
    const place = makePlace({ homeFiles: () => Promise.resolve(homeFiles) }, "/var/tmp");
    writeFileSync(join(place.home, ".settings"), "the user's own\n");
    const sandbox = createSandbox(place.options);
    expect(await sandbox.test()).toEqual({ type: "enforced" });
    const inside = async (script: string): Promise<string> => (await runInside(place, script, { sandbox })).output;
    expect(await inside("cat ~/.settings ~/.config/deep/er; echo more >> ~/.settings")).toBe("given\ndeep\n");
    expect(await inside("cat ~/.settings")).toBe("given\nmore\n");
    expect(readFileSync(join(place.home, ".settings"), "utf8")).toBe("the user's own\n");
  });
});
