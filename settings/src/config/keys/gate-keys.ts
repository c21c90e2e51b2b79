import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer, number, stringList } from "./config-key.ts";

type Section = "sandbox" | "approvals";

/** Keys about the sandbox of commands, and about what waits for a user. */
export const gateKeys: Readonly<Record<Extract<ConfigPath, `${Section}.${string}`>, ConfigKey>> = {
  "sandbox.mode": {
    type: choice(["required", "preferred", "off"]),
    default: "preferred",
    about:
      "Commands run in the sandbox where the machine can (`preferred`), or nothing starts without it (`required`).",
    environment: ["CAPSTAN_SANDBOX"],
  },
  "sandbox.unavailable": {
    type: choice(["ask", "refuse", "run_without_isolation"]),
    default: "ask",
    about:
      "Commands where the sandbox is not enforced: a user is asked each time (where nobody can be asked, they are refused), they are always refused, or they are judged by the rules and the mode alone.",
  },
  "sandbox.auto_run": {
    type: boolean,
    default: true,
    about: "Commands in an enforced sandbox run without asking in the permission mode `default`.",
  },
  "sandbox.hosts": {
    type: stringList,
    default: [],
    about:
      "Network hosts that sandboxed commands may reach, as `example.org`, `*.example.org` or `example.org:8443`; `@registries` stands for those of npm, PyPI, crates.io, Go, RubyGems, Packagist and Debian.",
    example: ["registry.npmjs.org"],
    joins: true,
  },
  "sandbox.readable": {
    type: stringList,
    default: [],
    about:
      "Further places that sandboxed commands may read, below the home directory or absolute; the system and toolchains are readable anyway.",
    example: ["~/.config/my-tool"],
    joins: true,
  },
  "sandbox.build_folders": {
    type: stringList,
    default: [],
    about:
      "Further names of folders and cache files that builds fill: in mode `default` commands may change those that exist, that git ignores and of which it tracks nothing. `*` stands for any part of a name.",
    example: ["_build", "*.cache"],
    joins: true,
  },
  "sandbox.max_processes": {
    type: integer(8, 1_000_000),
    default: 1024,
    about: "Processes one sandboxed command may have at a time.",
  },
  "sandbox.max_memory_mb": {
    type: integer(64, 16_777_216),
    default: 8192,
    about: "MiB of memory one process of a sandboxed command may use.",
  },
  "sandbox.max_file_mb": {
    type: integer(1, 16_777_216),
    default: 4096,
    about: "MiB one file written by a sandboxed command may have.",
  },
  "sandbox.tmp_mb": {
    type: integer(1, 1_048_576),
    default: 1024,
    about: "MiB of temporary files one sandboxed command may have.",
  },
  "approvals.timeout_seconds": {
    type: number(1, 31_536_000),
    default: 300,
    about: "Seconds an answer is waited for with `--on-ask wait`, or in a chat, before the question counts as denied.",
  },
};
