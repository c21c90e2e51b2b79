/**
 * Paths no tool reads or writes unless the user's own configuration says otherwise: credentials, keys and the inside of `.git`.
 * Deny patterns, which core/patterns reads the same for policy, file tools and sandbox.
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
