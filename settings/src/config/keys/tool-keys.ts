import { toolProfiles, toolStrategies } from "@capstan/protocol";
import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer, number, portList, string, stringList } from "./config-key.ts";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const day = 86_400;

/** Keys about tools. */
export const toolKeys: Readonly<Record<Extract<ConfigPath, `tools.${string}`>, ConfigKey>> = {
  "tools.enabled": {
    type: stringList,
    default: null,
    about: "Tools the model is offered, by name, and no others; without it all that are not disabled.",
    example: ["read_file", "search"],
  },
  "tools.disabled": {
    ...narrowingList("Tools the model is not offered and that never run, by name."),
    example: ["run_command"],
  },
  "tools.profile": {
    type: choice(["auto", ...toolProfiles]),
    default: "auto",
    about:
      "The words in which the tools are shown to a model: its family's (anthropic, openai, gemini), or our own. Calls by our names are always taken.",
  },
  "tools.strategy": {
    type: choice(toolStrategies),
    default: "parallel-reads",
    about: "How the calls of one answer run: one by one, reads together, or with file changes only proposed.",
    environment: ["CAPSTAN_STRATEGY"],
  },
  "tools.max_tool_calls_per_batch": limit(1, 10_000, 64, "Tool calls one answer may make; the surplus is not run."),
  "tools.max_tool_iterations_per_user_turn": limit(1, 1_000_000, 200, "Rounds of tool calls in one turn."),
  "tools.max_tool_args_bytes": limit(256, 64 * mebibyte, 262_144, "Bytes the arguments of one call may have."),
  "tools.max_identical_calls": limit(
    2,
    1000,
    3,
    "Identical calls in a row at which the call is answered with a loop notice instead of run.",
  ),
  "tools.max_parallel_reads": limit(1, 256, 8, "Read-only calls that run at the same time."),
  "tools.max_definition_bytes": limit(
    0,
    mebibyte,
    16_384,
    "Bytes of what servers say of their tools in a request; with more, their tools wait until the model has found them with `search_tools`.",
  ),
  "tools.approval.mode": {
    type: choice(["permissive", "default", "strict"], {
      auto: "permissive",
      prompt: "default",
      enabled: "default",
      deny: "strict",
      parse_only: "strict",
      disabled: "strict",
    }),
    default: "default",
    about: "How much the permission mode `default` asks.",
  },
  "tools.approval.allowlist": { type: stringList, default: [], about: "Tools that run without asking, by name." },
  "tools.approval.denylist": narrowingList("Tools that never run, by name."),
  "tools.sandbox.allowed_roots": {
    type: stringList,
    default: ["."],
    about: "Directories file tools may touch; relative ones start at the working directory.",
  },
  "tools.sandbox.denied_patterns": {
    ...narrowingList("Paths no file tool may touch, as globs."),
    example: ["**/secrets/**"],
  },
  "tools.sandbox.allow_absolute": { type: boolean, default: true, about: "Accept absolute paths inside the roots." },
  "tools.sandbox.include_default_denies": {
    type: boolean,
    default: true,
    about:
      "Protect keys, credentials and `.git` besides `denied_patterns`. Examples (`.env.example`, `.sample`, `.template`, `.dist`) and public keys (`id_*.pub`) are none.",
  },
  "tools.timeouts.default_seconds": seconds(30, "Seconds a tool may take when nothing else is said."),
  "tools.timeouts.file_operations_seconds": seconds(30, "Seconds a file tool may take."),
  "tools.timeouts.shell_commands_seconds": seconds(300, "Seconds a command may take when the model does not say."),
  "tools.timeouts.max_shell_seconds": seconds(3600, "Seconds the model may ask for a command."),
  "tools.output.max_bytes": limit(
    256,
    64 * mebibyte,
    102_400,
    "Bytes of a command's output the model is shown; the rest is kept in a file.",
  ),
  "tools.environment.allowlist": {
    type: stringList,
    default: [],
    about: "Variables commands receive although they look like secrets, as globs.",
    example: ["NPM_TOKEN"],
  },
  "tools.environment.denylist": {
    ...narrowingList("Variables commands never receive, as globs."),
    example: ["COMPANY_*"],
  },
  "tools.read_file.max_file_read_bytes": limit(256, 64 * mebibyte, 204_800, "Bytes one read shows the model."),
  "tools.read_file.max_scan_bytes": limit(
    256,
    kibibyte * mebibyte,
    2_097_152,
    "Bytes of a file a ranged read may scan.",
  ),
  "tools.write_file.max_bytes": limit(1, 256 * mebibyte, 2_097_152, "Bytes one written file may have."),
  "tools.apply_patch.max_patch_bytes": limit(1, 64 * mebibyte, 524_288, "Bytes one patch may have."),
  "tools.search.max_results": limit(1, 100_000, 200, "Matches one search returns."),
  "tools.search.timeout_ms": limit(1, day * 1000, 20_000, "Milliseconds one search may take."),
  "tools.webfetch.ports": {
    type: portList,
    default: ["80", "443"],
    about: "Ports that pages are fetched from. Private addresses never are.",
    example: ["443"],
  },
  "tools.webfetch.timeout_seconds": seconds(20, "Seconds one page may take, with all that it takes to get there."),
  "tools.webfetch.max_bytes": limit(1024, 64 * mebibyte, 10_485_760, "Bytes one page may have."),
  "tools.webfetch.robots_fail_open": {
    type: boolean,
    default: false,
    about: "Read pages of hosts whose robots.txt cannot be had.",
  },
  "tools.glob.max_results": limit(1, 100_000, 1000, "Paths one glob returns."),
  "tools.shell.path": {
    type: string,
    default: null,
    about: "The shell that runs command scripts; without it one is looked for.",
    example: "/bin/bash",
  },
};

function limit(minimum: number, maximum: number, value: number, about: string): ConfigKey {
  return { type: integer(minimum, maximum), default: value, about, projectMayNarrow: true };
}

function seconds(value: number, about: string): ConfigKey {
  return { type: number(0.001, day), default: value, about, projectMayNarrow: true };
}

function narrowingList(about: string): ConfigKey {
  return { type: stringList, default: [], about, joins: true, projectMayNarrow: true };
}
