import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runBare } from "../../stage/bare-shell.ts";
import { canary, type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** Credentials beside what toolchains need, below the home. */
const credentials: readonly string[] = [
  ".local/share/uv/credentials/token",
  ".dotnet/corefx/cryptography/x509stores/my/key",
  ".nvm/versions/node/v20.0.0/etc/npmrc",
  ".npm-global/etc/npmrc",
  ".volta/tools/image/node/20.0.0/etc/npmrc",
  ".conda/token",
  "miniconda3/.condarc",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
];

/** Folders of every Debian that are neither the system's own programs nor the workspace. */
const folders: readonly string[] = [
  "/var/log",
  "/var/lib/systemd",
  "/var/backups",
  "/var/spool",
  "/boot",
  "/srv",
  "/opt",
];

/** Row H11: what is nobody's business of the disk and of toolchains. */
export function readableDisk(): readonly Attack[] {
  const scripts = [
    ...credentials.map((path) => `cat HOME/${path}`),
    ...folders.map((path) => `ls -d ${path}/. && echo ${canary}`),
    `test -n "$(find /etc -xdev -type f ! -perm -o=r -exec cat {} + 2>/dev/null)" && echo ${canary}`,
  ];
  return scripts.map((script): Attack => ({
    row: "H11",
    input: script,
    attempt: () =>
      inFilePlace(
        async (place) => {
          const text = textOf(await place.call("run_command", { command: filled(script, place) }));
          return outcome(text.includes(`\n${canary}`) || text.startsWith(canary), text.slice(0, 100));
        },
        { confined: true },
      ),
    control: () =>
      inFilePlace(async (place) => {
        const { output } = await runBare(filled(script, place), place.cwd, { PATH: process.env["PATH"] });
        return outcome(output.includes(canary), output.slice(0, 100));
      }),
  }));
}

function filled(script: string, { home }: FilePlace): string {
  for (const path of credentials) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${canary}\n`);
  }
  return script.replaceAll("HOME", home);
}
