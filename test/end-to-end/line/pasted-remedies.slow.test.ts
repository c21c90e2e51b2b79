import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { lastUserText } from "../stage/read-request.ts";

const place = usePlace();
const runFile = promisify(execFile);

/** Runs a line as a user's shell does who has the binary; what it printed, where it was a success. */
async function paste(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(place.folder, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "capstan"), `#!/bin/sh\nexec '${process.execPath}' '${inject("capstanEntry")}' "$@"\n`);
  chmodSync(join(folder, "capstan"), 0o755);
  const { PATH = "" } = process.env;
  const running = runFile("/bin/sh", ["-c", line], {
    cwd: place.workspace,
    env: { PATH: `${folder}:${PATH}`, HOME: place.folder, CAPSTAN_HOME: place.data, ...env },
    timeout: 60_000,
  });
  running.child.stdin?.end();
  return (await running).stdout;
}

function remedyOf(stderr: string): string {
  return / {2}Try: (capstan [^\n]+)\n$/.exec(stderr)?.[1] ?? stderr;
}

test("what a usage error says to try works as it stands, pasted into a shell, and pasted once more", async () => {
  const stage = await place.rehearse(
    "anthropic",
    Array.from({ length: 40 }, () => ({ text: "The answer." })),
  );
  const env = { ...stage.env, CAPSTAN_MODEL: "anthropic/rehearsal" };
  const { sessionId } = parseResult(await stage.run(["--output-format", "json", "begin"]));
  const id = String(sessionId);
  place.write("other/x.txt", "x");
  for (const [wrong, prints] of [
    [["resume", "the", "work"], /^The answer\.$/m],
    [["resume"], /^The answer\.$/m],
    [["resume", id], /^The answer\.$/m],
    [["undo", "the", "last", "change"], /^The answer\.$/m],
    [["resume", "what's", "wrong;", "touch", "made-by-paste", "$(touch made-by-paste)"], /^The answer\.$/m],
    [["--permission-mode", "yolo", "go"], /^The answer\.$/m],
    [["--otput-format", "json", "go"], /"text":"The answer\."/],
    [["sesions", "list"], new RegExp(id)],
    [["sessions", "renme", id, "the parser"], /\n$/],
    [["sesions", "list"], /^the parser/m],
    [["sessions", "shw", id], /The answer\./],
    [["audit"], /verify/],
    [["sessions", "lst"], new RegExp(id)],
    [["resume", "nothing-there"], new RegExp(id)],
    [["config", "shwo"], /app\.model/],
    [["answer"], /list\n/],
    [["-n", "it's $(touch made-by-paste)", "-c", "go"], /\n$/],
    [["sesions", "list"], /^it's \$\(touch made-by-paste\)/m],
    [["-n", "two words", "--resume", "it's $(touch made-by-paste)", "go"], /\n$/],
    [["sesions", "list"], /^two words/m],
    [["run", "--attach"], /--attach <file>/],
    [["run", "--json-schema", "gone.json", "go"], /--json-schema <file>/],
    [[""], /Usage: capstan run/],
    [["-C", "other", "-c", "go"], new RegExp(id)],
    [["-C", "other", "--resume", id, "go"], /The answer\./],
  ] as const) {
    const run = await place.run(wrong, { env });
    expect([wrong, run.code]).toEqual([wrong, 2]);
    const line = remedyOf(run.stderr);
    for (const _ of ["first", "second"]) expect(`${line}\n${await paste(line, env)}`).toMatch(prints);
  }
  expect(place.has("made-by-paste")).toBe(false);
  const kept = await place.run(["sessions", "delete", id]);
  expect([kept.code, await paste(remedyOf(kept.stderr), env)]).toEqual([2, `Deleted ${id}.\n`]);
  const asked = stage.exchanges.map(lastUserText).join("\n");
  expect(asked).toContain("resume what's wrong; touch made-by-paste $(touch made-by-paste)");
});
