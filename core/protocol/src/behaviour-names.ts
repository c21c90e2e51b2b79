/**
 * Files and folders that tell agents and git what to do or run, as they are usually spelled: no tool and no command changes them
 * unasked, wherever they lie.
 */
export const behaviourNames: readonly string[] = [
  ".git",
  ".gitmodules",
  ".capstan",
  ".claude",
  ".agents",
  ".codex",
  ".cursor",
  ".gemini",
  ".mcp.json",
  "AGENTS.md",
  "AGENTS.local.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
];
