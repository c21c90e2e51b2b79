import { permissionModes } from "@capstan/protocol";

/** What can stand in the place of a value. */
export type ValueKind =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "folders" }
  | { readonly type: "files" }
  | { readonly type: "sessions" }
  | { readonly type: "interactions" }
  /** Anything: nothing is proposed. */
  | { readonly type: "text" };

export interface ValuePlace {
  /** `--model`, or the name of the argument. */
  readonly name: string;
  /** `provider/id` of `<provider/id>`. */
  readonly placeholder: string;
  readonly description: string;
  readonly path: readonly string[];
}

/** What may stand there, reported from what help says of it. */
export function valuesOf({ name, placeholder, description, path }: ValuePlace): ValueKind {
  const words = (choices[name] ?? []).filter((word) => isNamedIn(word, description));
  if (words.length > 0) return { type: "words", words };
  switch (placeholder) {
    case "dir":
      return { type: "folders" };
    case "file":
    case "scenario":
      return { type: "files" };
    case "session":
      return { type: "sessions" };
    case "id":
    case "ids":
      return idKind(name, path);
    default:
      return { type: "text" };
  }
}

function idKind(name: string, path: readonly string[]): ValueKind {
  // The id of a new session is nobody's yet; grants and what is in quarantine are few, and listed by their own commands.
  if (name === "--session-id" || path.includes("grants") || path[0] === "quarantine") return { type: "text" };
  const isInteraction = path[0] === "interactions" || path[0] === "answer";
  return isInteraction && name !== "--session" ? { type: "interactions" } : { type: "sessions" };
}

/** Words that a flag takes, of all commands; which of them a command takes, its help says. */
const choices: Readonly<Record<string, readonly string[]>> = {
  "--permission-mode": permissionModes,
  "--mode": permissionModes,
  "--effort": ["minimal", "low", "medium", "high", "xhigh", "max"],
  "--sandbox": ["required", "preferred", "off"],
  "--output-format": ["text", "json", "stream-json"],
  "--strategy": ["sequential", "parallel-reads", "review"],
  "--on-ask": ["deny", "wait", "park"],
  "--on-unknown": ["fail", "tell-model", "rerun", "ask"],
  "--role": ["watch", "ask", "drive", "approve", "operate"],
  "--remember": ["file", "family", "command", "host", "tool", "workspace", "always"],
  "--plan": ["proceed", "proceed-clean", "adjust", "cancel"],
  "--recovery": ["accept-as-done", "run-again", "undo", "tell-model", "discard"],
  shell: ["bash", "zsh", "fish"],
};

function isNamedIn(word: string, description: string): boolean {
  return new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(description);
}
