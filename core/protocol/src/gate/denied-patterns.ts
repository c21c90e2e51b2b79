/**
 * Paths no tool reads or writes unless the user's own configuration says otherwise: credentials, keys and the inside of `.git`.
 * picomatch globs over whole paths, dot files included; a pattern that ends in `/**` also matches the directory itself.
 */
export const defaultDeniedPatterns: readonly string[] = [
  "**/.ssh/**",
  "**/.gnupg/**",
  "**/.aws/**",
  "**/.azure/**",
  "**/.config/gcloud/**",
  "**/.git/**",
  "**/.git-credentials",
  "**/.npmrc",
  "**/.pypirc",
  "**/.netrc",
  "**/.env",
  "**/.env.*",
  "**/*.env",
  "**/id_rsa*",
  "**/id_ed25519*",
  "**/id_ecdsa*",
  "**/*.pem",
  "**/*.key",
  "**/*.p12",
  "**/*.pfx",
  "**/*.der",
];

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
