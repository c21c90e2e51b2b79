import { expect, test } from "vitest";
import { sandboxNotes } from "../../../src/run-command/confine/sandbox-notes.ts";

const report = { refusedHosts: [], runsLater: [], quarantined: [] } as const;
const places = { home: "/home/ada", opened: ["/home/ada/work"] } as const;
const box = { type: "sandbox", workspace: "write", hosts: [], writable: [] } as const;

function notesOn(output: string, exitCode = 1): string {
  return sandboxNotes({ exitCode, output, report, ...places }, box).join("\n");
}

test.each([
  [
    "curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server",
    "the loopback is the session's own",
  ],
  ["Error: connect ECONNREFUSED 127.0.0.1:5432", "the loopback is the session's own"],
  [
    "error: could not write config file .git/config: Device or resource busy",
    "could not change the repository's settings",
  ],
  ["cat: /home/ada/notes.txt: No such file or directory", "the user's home is not seen inside"],
  [
    "Error: ENOENT: no such file or directory, open '/home/ada/.config/tool.json'",
    "the user's home is not seen inside",
  ],
  ["==2==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 bytes", "sandbox.max_memory_mb"],
])("what was met is named, and what to do: %s", (output, note) => {
  expect(notesOn(output)).toContain(note);
});

test.each([
  "cat: missing.txt: No such file or directory",
  "cat: /home/ada/work/missing.txt: No such file or directory",
  "cat: /home/adaline/x: No such file or directory",
  "the config file could not be parsed",
])("what the sandbox has no part in is not laid to it: %s", (output) => {
  expect(notesOn(output)).toBe("");
});

test("of what succeeded only settings that were not changed are spoken of", () => {
  expect(notesOn("Error: connect ECONNREFUSED 127.0.0.1:5432", 0)).toBe("");
  expect(notesOn("done\nerror: could not write config file .git/config: Device or resource busy\n", 0)).toContain(
    "settings",
  );
  expect(notesOn("it said 'error: could not write config file .git/config: Device or resource busy' then", 0)).toBe("");
});
