/** What a file of a workspace would do once it is trusted. */
export type TrustClassName =
  | "configuration"
  | "policy"
  | "instructions"
  | "mcp-servers"
  | "hooks"
  | "plugins"
  | "skills"
  | "commands"
  | "agents"
  | "personas";

export interface TrustClass {
  readonly name: TrustClassName;
  /** What trust lets it do, in words for people. */
  readonly about: string;
  /** Paths below each directory from the project's root down to the working directory. */
  readonly files: readonly string[];
  /** The same of folders: everything in them counts. */
  readonly folders: readonly string[];
}

/**
 * Everything of a workspace that Capstan loads or obeys, or will. What is not listed here is never loaded, trusted or not;
 * what is listed is bound by its content from the day the workspace is trusted. Instruction files have the names that the
 * user's configuration says, in any letter case, and count on every level.
 */
export const trustClasses: readonly TrustClass[] = [
  {
    name: "configuration",
    about: "restricts what may run",
    files: [".capstan/config.toml"],
    folders: [],
  },
  {
    name: "policy",
    about: "restricts what may run",
    files: [".capstan/policy.toml", ".capstan/policy.yaml", ".capstan/policy.yml"],
    folders: [".capstan/policies"],
  },
  { name: "instructions", about: "tells the model how to work here", files: [], folders: [] },
  { name: "mcp-servers", about: "names servers to start", files: [".mcp.json", ".capstan/mcp.json"], folders: [] },
  {
    name: "hooks",
    about: "names programs to run",
    files: [".capstan/hooks.json", ".claude/settings.json", ".claude/settings.local.json"],
    folders: [".capstan/hooks", ".claude/hooks"],
  },
  { name: "plugins", about: "is code to run", files: [], folders: [".capstan/plugins"] },
  {
    name: "skills",
    about: "teaches the model",
    files: [],
    folders: [".capstan/skills", ".agents/skills", ".claude/skills"],
  },
  { name: "commands", about: "adds commands", files: [], folders: [".capstan/commands", ".claude/commands"] },
  { name: "agents", about: "adds agents", files: [], folders: [".capstan/agents", ".claude/agents"] },
  { name: "personas", about: "adds ways of working", files: [], folders: [".capstan/personas"] },
];
