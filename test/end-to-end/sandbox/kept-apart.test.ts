import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sampled, slowTest } from "@capstan/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { callCommand, furnish, listen } from "./sandbox-place.ts";

const place = usePlace();
beforeEach(() => furnish(place));

// Stars and questions marks: what no rule could recognise, the sandbox must stop.
describe("a command in the sandbox", () => {
  test.each(
    sampled(
      [
        [
          "the home directory",
          () => `cat "$HOME"/private.txt ${place.folder}/home/private.txt; ls -A "$HOME"`,
          "very-private",
        ],
        ["a protected file", () => "cat .en? .e*v; grep -r very .", "very-secret"],
        ["the sessions of Capstan", () => `ls ${place.folder}/dat?; cat ${place.folder}/dat?/*`, "capstan.db"],
      ],
      1,
    ),
  )("does not see %s", async (_name, script, secret) => {
    const { type, text } = await callCommand(place, { command: script() });
    expect({ type, seen: text.includes(secret) }).toEqual({ type: "done", seen: false });
  });

  test.each(
    sampled(
      [
        ["git hooks", "echo 'touch pwned' > .gi?/hook?/pre-commit", ".git/hooks/pre-commit"],
        [
          "git configuration",
          "git config alias.st '!touch pwned'; echo '[alias] st = !x' >> .gi?/confi?",
          ".git/config",
        ],
        ["what is outside", "touch ../outsid?/made /etc/made-by-capstan-test", "../outside/made"],
        ["a moved repository", "mv .gi? .g2", ".g2"],
      ],
      2,
    ),
  )("does not change %s", async (_name, script, path) => {
    const file = join(place.workspace, path);
    const before = existsSync(file) ? readFileSync(file, "utf8") : null;
    await callCommand(place, { command: script });
    expect(existsSync(file) ? readFileSync(file, "utf8") : null).toBe(before);
    expect(existsSync("/etc/made-by-capstan-test")).toBe(false);
  });

  slowTest("works on the files of the workspace, and commits", async () => {
    const { details } = await callCommand(place, {
      command: "echo a > made.txt && git add made.txt && git commit -qm second && git log --oneline | wc -l",
    });
    expect(details).toMatchObject({ exitCode: 0 });
    expect(execFileSync("git", ["log", "--oneline"], { cwd: place.workspace, encoding: "utf8" })).toContain("second");
  });

  slowTest("is not one the repository has put on the search path", async () => {
    place.write("node_modules/.bin/ls", "#!/bin/sh\necho not the real one\n");
    execFileSync("chmod", ["+x", join(place.workspace, "node_modules/.bin/ls")]);
    const PATH = `${place.workspace}/node_modules/.bin:${process.env["PATH"] ?? ""}`;
    const byName = await callCommand(place, { argv: ["ls"] }, [], { PATH });
    const inShell = await callCommand(place, { command: "ls; echo $PATH" }, [], { PATH });
    const own = [byName, inShell].map(
      ({ text }) => text.includes("not the real one") || text.includes(place.workspace),
    );
    expect(own).toEqual([false, false]);
  });

  test("runs in the workspace and nowhere else", async () => {
    for (const cwd of sampled(["..", "/", "/etc", `${place.folder}/outside`], 1))
      expect(await callCommand(place, { argv: ["pwd"], cwd })).toMatchObject({ type: "denied" });
  });
});

function urlOf({ port }: { readonly port: number }): string {
  return `http://localhost:${port}/x`;
}

describe("the network of a command", () => {
  test("is none, and the result says how to ask for it", async () => {
    const { port, asked } = await listen(place);
    const { text } = await callCommand(place, {
      command: `curl -sS -m 5 http://127.0.0.1:${port}/direct http://example.org/`,
    });
    expect({ asked, reported: text.includes("network: [host]") }).toEqual({ asked: [], reported: true });
  });

  test("is the host that was asked for and granted, and only that", async () => {
    const [granted, other] = [await listen(place), await listen(place)];
    const { text, details } = await callCommand(place, {
      command: `curl -sS -m 20 ${urlOf(granted)}; curl -sS -m 20 ${urlOf(other)}; curl -sS -m 5 --noproxy '*' ${urlOf(granted)}`,
      network: [`localhost:${granted.port}`],
    });
    expect({ granted: granted.asked, other: other.asked }).toEqual({ granted: ["/x"], other: [] });
    expect(details).toMatchObject({ refusedHosts: [`localhost:${other.port}`] });
    expect(text).toContain("served");
  });

  test("is asked about before it is opened: where nobody answers, the call is denied", async () => {
    const { port, asked } = await listen(place);
    const call = {
      name: "run_command",
      arguments: { argv: ["curl", "-sS", "-m", "20", `http://localhost:${port}/y`], network: [`localhost:${port}`] },
    };
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [call] },
      { text: "no" },
      { tool_calls: [call] },
      { text: "yes" },
    ]);
    expect((await stage.run(["go"])).code).toBe(3);
    expect(asked).toEqual([]);
    expect((await stage.run(["--set", `sandbox.hosts=["localhost:${port}"]`, "go"])).code).toBe(0);
    expect(asked).toEqual(["/y"]);
  });
});
