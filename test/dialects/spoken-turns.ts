import type { JsonObject, ToolProfileName } from "@capstan/protocol";

interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What GPT changes the note with. */
export const patch = "*** Begin Patch\n*** Update File: note.txt\n@@\n-two\n+2\n*** End Patch";

/** One look, one change and one command, as models of the family write them, and the tools they are offered for it. */
const calls: Readonly<Record<ToolProfileName, readonly Call[]>> = {
  own: [
    { name: "read_file", arguments: { path: "note.txt" } },
    { name: "edit_file", arguments: { path: "note.txt", old_string: "two", new_string: "2" } },
    { name: "run_command", arguments: { argv: ["cat", "note.txt"] } },
  ],
  anthropic: [
    { name: "Read", arguments: { file_path: "note.txt", offset: 1, limit: 10 } },
    { name: "Edit", arguments: { file_path: "note.txt", old_string: "two", new_string: "2" } },
    { name: "Bash", arguments: { command: "cat note.txt", description: "Look" } },
  ],
  openai: [
    { name: "shell", arguments: { command: ["cat", "note.txt"], timeout_ms: 5000 } },
    { name: "apply_patch", arguments: { input: patch } },
    { name: "shell", arguments: { command: ["bash", "-lc", "cat note.txt | tail -1"] } },
  ],
  gemini: [
    { name: "read_file", arguments: { file_path: "note.txt" } },
    { name: "replace", arguments: { file_path: "note.txt", old_string: "two", new_string: "2" } },
    { name: "run_shell_command", arguments: { command: "cat note.txt" } },
  ],
};

/** Nobody is asked, and nothing stands between a command and the place. */
export const allowed = ["--permission-mode", "accept-edits", "--allow", "run_command", "--sandbox", "off"];

/** A turn's scenario: the calls of a profile, and an answer. */
export function turns(profile: ToolProfileName): readonly object[] {
  return [
    ...calls[profile].map((call, index) => ({
      text: `Step ${index}.`,
      thinking: "hm",
      ...(index === 0 ? { expect: { tools: [...new Set(calls[profile].map(({ name }) => name))] } } : {}),
      tool_calls: [call],
    })),
    { text: `Done as ${profile}.` },
  ];
}
