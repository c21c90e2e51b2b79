/** How the arguments of a program that starts another are laid out. */
export interface Wrapper {
  /** One-letter options that take a value. */
  readonly valued?: string;
  /** Operands before the command: `timeout 9 COMMAND`. */
  readonly operands?: number;
  /** `NAME=value` may stand before the command. */
  readonly assignments?: true;
  /** Options whose value is a script. */
  readonly scripts?: readonly string[];
  /** The rest is one command line, joined by blanks and read by a shell. */
  readonly joins?: true;
  /** Too many options to know: every word after may begin the command. */
  readonly guess?: true;
}

/** Programs and builtins that start what their arguments say. Shells, `eval`, `find` and `git` are read by rules of their own. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", { valued: "uCa", assignments: true, scripts: ["-S", "--split-string"] }],
  ["sudo", { valued: "ugpCrtTDRhU", assignments: true }],
  ["doas", { valued: "uC", assignments: true }],
  ["su", { valued: "gGsT", guess: true, scripts: ["-c", "--command", "--session-command"] }],
  ["runuser", { valued: "ugGsT", guess: true, scripts: ["-c", "--command", "--session-command"] }],
  ["sg", { guess: true, scripts: ["-c"], joins: true }],
  ["pkexec", { valued: "u" }],
  ["timeout", { valued: "ks", operands: 1 }],
  ["nice", { valued: "n" }],
  ["ionice", { valued: "cnpPu" }],
  ["chrt", { valued: "TPDp", operands: 1 }],
  ["taskset", { operands: 1 }],
  ["prlimit", { guess: true }],
  ["nohup", {}],
  ["setsid", {}],
  ["time", { valued: "fo" }],
  ["command", {}],
  ["builtin", {}],
  ["exec", { valued: "a" }],
  ["coproc", {}],
  ["nocorrect", {}],
  ["noglob", {}],
  ["-", {}],
  ["xargs", { valued: "EILnPsda" }],
  ["parallel", { guess: true, joins: true }],
  ["busybox", {}],
  ["toybox", {}],
  ["stdbuf", { valued: "ioe" }],
  ["unbuffer", {}],
  ["script", { valued: "oEIOBTm", scripts: ["-c", "--command"] }],
  ["watch", { valued: "n", joins: true }],
  ["flock", { valued: "wE", operands: 1, scripts: ["-c", "--command"] }],
  ["strace", { valued: "eopsuEaOSIbPXU" }],
  ["ltrace", { valued: "eopsuaAlnwxF" }],
  ["valgrind", {}],
  ["perf", { operands: 1, guess: true }],
  ["gdb", { guess: true }],
  ["chroot", { operands: 1 }],
  ["unshare", { valued: "RSGw" }],
  ["nsenter", { valued: "tSGNW", guess: true }],
  ["setpriv", { guess: true }],
  ["capsh", { guess: true, scripts: ["-c"] }],
  ["firejail", { guess: true }],
  ["bwrap", { guess: true }],
  ["systemd-run", { valued: "uptMHGE" }],
  ["dbus-run-session", {}],
  ["caffeinate", { valued: "tw" }],
  ["rlwrap", { guess: true }],
  ["faketime", { valued: "f", operands: 1 }],
  ["fakeroot", { valued: "lisb" }],
  ["proxychains", { valued: "f" }],
  ["proxychains4", { valued: "f" }],
  ["torsocks", {}],
  ["cgexec", { valued: "g" }],
  ["numactl", { guess: true }],
  ["entr", { guess: true }],
  ["ssh", { valued: "bcDEeFIiJLlmOopQRSWw", operands: 1, joins: true, scripts: ["-o"] }],
  ["sshpass", { valued: "fdpP" }],
  ["mosh", { guess: true }],
  ["docker", { guess: true }],
  ["podman", { guess: true }],
  ["nerdctl", { guess: true }],
  ["kubectl", { guess: true }],
  ["tmux", { guess: true, joins: true }],
  ["screen", { guess: true }],
  ["npx", { valued: "p", scripts: ["-c", "--call"] }],
  ["bunx", {}],
  ["pnpx", {}],
  ["uvx", { guess: true }],
  ["pipx", { operands: 1, guess: true }],
  ["direnv", { guess: true }],
  ["nix-shell", { guess: true, scripts: ["--run", "--command"] }],
  ["trap", { scripts: [] }],
]);

/** Package tools that start a program after one of these words. */
export const packageRunners: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["exec", "x", "dlx"]] as const),
  ...["uv", "poetry", "pipenv", "bundle", "hatch", "pdm", "rye", "conda", "mamba"].map(
    (name) => [name, ["run", "exec"]] as const,
  ),
]);

export const shells: ReadonlySet<string> = new Set(
  "sh bash dash ash zsh ksh ksh93 mksh pdksh yash fish rbash csh tcsh".split(" "),
);

/** Options of git whose value a shell reads. */
export const gitScripts: RegExp = /^--(?:exec|upload-pack|receive-pack|[a-z-]+-filter|setup)(?:=|$)|^-x$/;
