import { expect, test } from "vitest";
import { configPlace } from "./config-place.ts";

/** Every key that Forge documents. */
const forge = `[app]
provider = "claude"
model = "claude-sonnet-4-5-20250929"
max_output_tokens = 16000
ascii_only = false

[api_keys]
anthropic = "\${ANTHROPIC_API_KEY}"

[context]
infinity = true

[cache]
enabled = false

[thinking]
enabled = true
budget_tokens = 9000

[openai]
reasoning_effort = "high"
verbosity = "high"
truncation = "none"

[google]
thinking_enabled = true
cache_enabled = true
cache_ttl_seconds = 3600

[tools]
max_tool_calls_per_batch = 8
max_tool_iterations_per_user_turn = 4
max_tool_args_bytes = 262144

[tools.sandbox]
allowed_roots = ["."]
denied_patterns = ["**/.git/**"]
allow_absolute = false
include_default_denies = true

[tools.timeouts]
default_seconds = 30
file_operations_seconds = 30
shell_commands_seconds = 300

[tools.output]
max_bytes = 102400

[tools.environment]
denylist = ["*_KEY"]

[tools.approval]
enabled = true
mode = "prompt"
allowlist = ["read_file"]
denylist = ["run_command"]
prompt_side_effects = true

[tools.read_file]
max_file_read_bytes = 204800
max_scan_bytes = 2097152

[tools.apply_patch]
max_patch_bytes = 524288

[tools.webfetch]
user_agent = "x"

[[tools.definitions]]
name = "custom_tool"
[tools.definitions.parameters]
type = "object"
`;

const env = { ANTHROPIC_API_KEY: "a" };

test("Forge's documented configuration loads: other names mean ours, and what has no effect is named with its line", async () => {
  const place = configPlace({ user: forge });
  const { values, warnings } = await place.load({ env });
  expect(values.anthropic).toMatchObject({
    cache_enabled: false,
    thinking_enabled: true,
    thinking_budget_tokens: 9000,
  });
  expect(values.openai.truncation).toBe("disabled");
  expect(values.tools.approval).toEqual({ mode: "default", allowlist: ["read_file"], denylist: ["run_command"] });
  const lines = forge.split("\n");
  const named = warnings.map((warning) => /config\.toml:(\d+): (\S+) has no effect: \w+/.exec(warning));
  expect(named.map((match) => match?.[2])).toEqual([
    "tools.approval.enabled",
    "tools.approval.prompt_side_effects",
    "tools.webfetch.user_agent",
    "tools.definitions",
  ]);
  for (const match of named) {
    const last = match?.[2]?.split(".").at(-1) ?? "none";
    expect(lines[Number(match?.[1]) - 1]).toContain(last);
  }
});

test.each([
  ["[context]\n\ninfinity = 'yes'\n", "config.toml:3: context.infinity: expected true or false"],
  ["[cache]\nenabled = 3\n", "config.toml:2: cache.enabled: expected true or false"],
  ["[thinking]\nbudget_tokens = 12\n", "config.toml:2: thinking.budget_tokens: expected an integer from 1024"],
  ["[cache]\nenabeld = true\n", "unknown key cache"],
  ["[tools]\ndefinitions = 'x'\n", "config.toml:2: tools.definitions: expected a list of tables"],
  ["cache = true\n", "config.toml:1: unknown key cache"],
])("%j stops the start, with file, line and key", async (user, says) => {
  await expect(configPlace({ user }).load({ env })).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining(says),
  });
});

test("our name for a setting and theirs can be given in any layer, and the highest counts", async () => {
  const place = configPlace({ user: "[thinking]\nenabled = true\n" });
  expect(
    (await place.load({ env, sets: ["anthropic.thinking_enabled=false"] })).values.anthropic.thinking_enabled,
  ).toBe(false);
  expect((await place.load({ env, sets: ["thinking.budget_tokens=2048"] })).values.anthropic).toMatchObject({
    thinking_enabled: true,
    thinking_budget_tokens: 2048,
  });
});

test("modes are taken by the names that other agents give them", async () => {
  for (const [mode, meant] of [
    ["acceptEdits", "accept-edits"],
    ["auto_edit", "accept-edits"],
    ["workspace-write", "accept-edits"],
    ["full-auto", "auto"],
    ["read-only", "plan"],
  ] as const)
    expect((await configPlace().load({ sets: [`permissions.mode=${mode}`] })).values.permissions.mode).toBe(meant);
});
