import { permissionModeAliases, permissionModes } from "@capstan/protocol";
import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer, number, ruleList, string, stringList, url } from "./config-key.ts";

type Section = "permissions" | "limits" | "prompt" | "context" | "sessions" | "bundles" | "templates" | "agents";

/** Keys about what a session may do, cost and say. */
export const sessionKeys: Readonly<Record<Extract<ConfigPath, `${Section}.${string}`>, ConfigKey>> = {
  "permissions.mode": {
    type: choice(permissionModes, permissionModeAliases),
    default: "default",
    about: "How far the agent may go when a session begins.",
    environment: ["CAPSTAN_PERMISSION_MODE"],
  },
  "permissions.allow": {
    type: stringList,
    default: [],
    about: "Calls that run without asking, as rules such as `run_command(npm test)`.",
    joins: true,
  },
  "permissions.ask": {
    type: stringList,
    default: [],
    about: "Calls that a user is always asked about.",
    joins: true,
    projectMayNarrow: true,
  },
  "permissions.deny": {
    type: stringList,
    default: [],
    about: "Calls that never run.",
    joins: true,
    projectMayNarrow: true,
  },
  "permissions.rules": {
    type: ruleList,
    default: [],
    about:
      "Rules as tables: `verdict` (`allow`, `ask`, `deny`), `tool`, and optionally `command`, `path` or `host` (each a pattern or a list of them), `origin`, `reason`, `risk`, `expires`, `locked`, `destructive` (only calls that may lose something for good; `false`: only others), and `match` and `not_match`: examples that are run when the rule is read.",
    example: [{ verdict: "deny", tool: "run_command", command: "git push *", reason: "people push" }],
    joins: true,
    projectMayNarrow: true,
  },
  "permissions.allow_bypass": {
    type: boolean,
    default: false,
    about:
      "Programs that speak another agent's dialect may have everything run that no rule denies or asks for (`bypassPermissions`, `danger-full-access`), as `--yolo` does.",
  },
  "permissions.policy_files": {
    type: stringList,
    default: [],
    about:
      "Policy files whose rules are added: `default`, `strict` or `permissive`, which come with Capstan, or paths of `.toml` or `.yaml` files.",
    example: ["default"],
    joins: true,
  },
  "limits.max_model_calls_per_turn": {
    type: integer(1, 1_000_000),
    default: null,
    about: "Model calls one turn may make.",
    example: 50,
    projectMayNarrow: true,
  },
  "limits.max_cost_usd": {
    type: number(0, 1_000_000),
    default: null,
    about: "USD one turn may cost.",
    example: 2.5,
    environment: ["CAPSTAN_MAX_COST_USD"],
    projectMayNarrow: true,
  },
  "limits.max_tokens_per_turn": {
    type: integer(1, 1_000_000_000_000),
    default: null,
    about: "Tokens one turn may use, read and written together.",
    example: 2_000_000,
    projectMayNarrow: true,
  },
  "limits.max_turn_seconds": {
    type: number(0.001, 31_536_000),
    default: null,
    about: "Seconds one turn may take.",
    example: 1800,
    projectMayNarrow: true,
  },
  "limits.max_bytes_written_per_turn": {
    type: integer(1, 1_000_000_000_000),
    default: 256 * 1024 * 1024,
    about: "Bytes that file tools may write in one turn; what commands write is bounded by the sandbox.",
    projectMayNarrow: true,
  },
  "limits.max_files_written_per_turn": {
    type: integer(1, 1_000_000),
    default: 2000,
    about: "Files that file tools may create, change or delete in one turn.",
    projectMayNarrow: true,
  },
  "prompt.system_prompt": {
    type: string,
    default: null,
    about: "Used instead of Capstan's own system prompt.",
    example: "You fix one bug and explain it.",
  },
  "prompt.append_system_prompt": {
    type: string,
    default: null,
    about: "Added to the end of the system prompt.",
    example: "Answer in French.",
  },
  "prompt.system_prompt_file": {
    type: string,
    default: null,
    about: "A file with the text for `system_prompt`.",
    example: "/home/me/prompts/system.md",
  },
  "prompt.append_system_prompt_file": {
    type: string,
    default: null,
    about: "A file with the text for `append_system_prompt`.",
    example: "/home/me/prompts/append.md",
  },
  "context.instruction_files": {
    type: stringList,
    default: ["AGENTS.md", "CLAUDE.md", "GEMINI.md"],
    about:
      "Names of files with instructions for agents, in any letter case; in each directory from the project's root down to the working directory the first that has words is read, and its `.local.md` form.",
  },
  "context.max_instruction_bytes": {
    type: integer(0, 16 * 1024 * 1024),
    default: 32_768,
    about: "Bytes of the project's instruction files shown to the model, the nearest first; as many of your own.",
    projectMayNarrow: true,
  },
  "context.infinity": {
    type: boolean,
    default: true,
    about:
      "Whether a model summarises older messages when the window is full; without it they are left out by rules, and what binds stays word for word.",
  },
  "context.compactor": {
    type: string,
    default: "summarizer",
    about:
      "What makes room when the window is full: `summarizer` (a summary by a model), `distill` (one document in place of nearly everything), `intelligent`, `token_budget` or `simple` (rules, without a model), or the name of one that a program registered.",
    example: "distill",
  },
  "context.include": {
    type: stringList,
    default: [],
    about:
      "Globs of files that the model is shown with the first turn, and again when they have changed; what git ignores and what is protected stays out.",
    example: ["docs/*.md", "src/types/**/*.ts"],
  },
  "context.exclude": {
    type: stringList,
    default: [],
    about: "Globs of files that `context.include` and `bundles` leave out.",
    example: ["**/*.snap"],
  },
  "context.max_shown_files": {
    type: integer(0, 10_000),
    default: 64,
    about: "Files that `context.include` and `bundles` show in all.",
    projectMayNarrow: true,
  },
  "context.max_shown_bytes": {
    type: integer(0, 16 * 1024 * 1024),
    default: 250_000,
    about:
      "Bytes of these files in all; one that has no room is left out with its size and the reason, and a smaller one may follow.",
    projectMayNarrow: true,
  },
  "context.max_shown_tokens": {
    type: integer(0, 10_000_000),
    default: null,
    about:
      "Tokens of these files in all, as estimated before a vendor counts them; without it only files and bytes count.",
    example: 20_000,
    projectMayNarrow: true,
  },
  "context.templates": {
    type: stringList,
    default: [],
    about: "Names of templates (`[templates.NAME]`) that the model is shown with the first turn.",
    example: ["conventions"],
  },
  "templates.*.file": {
    type: string,
    default: null,
    about: "A file with its text, relative to the data directory.",
    example: "templates/conventions.md",
  },
  "templates.*.layout": {
    type: string,
    default: null,
    about: "The template that it is put into, in place of `{{ body }}` there.",
    example: "frame",
  },
  "templates.*.text": {
    type: string,
    default: null,
    about: "Its text; `{{ NAME }}` stands for a variable, and `{{ cwd }}` and `{{ project }}` are always known.",
    example: "In {{ project }} we write {{ language }}. {{ body }}",
  },
  "templates.*.variables.*": {
    type: string,
    default: null,
    about: "A value for `{{ NAME }}`; a layout's own values are those of whoever brings none.",
    example: "TypeScript",
  },
  "bundles.*.title": {
    type: string,
    default: null,
    about: "What the model reads before the bundle's files.",
    example: "The public API, which must not change:",
  },
  "bundles.*.include": {
    type: stringList,
    default: [],
    about: "Globs of its files.",
    example: ["src/api/**/*.ts"],
  },
  "bundles.*.exclude": { type: stringList, default: [], about: "Globs of files that are left out of it." },
  "context.summary_url": {
    type: url,
    default: null,
    about:
      'An address that writes summaries in place of a model: it is sent `{"agentId", "messages"}` as JSON and answers with the text, or with JSON in which it is `summary`, `result` or `content`.',
    example: "http://127.0.0.1:8080/summarise",
  },
  "context.summary_key_env": {
    type: string,
    default: null,
    about: "The variable with the bearer token for `context.summary_url`.",
    example: "SUMMARY_TOKEN",
  },
  "sessions.compress_after_days": {
    type: integer(1, 36_500),
    default: null,
    about:
      "Days without a record after which a session is stored compressed, in the background of a process that runs for longer; nothing is lost, and it is read, resumed and verified as before. Without it sessions are compressed by `capstan sessions compress` alone.",
    example: 30,
  },
  "context.facts": {
    type: boolean,
    default: true,
    about:
      "Whether facts are remembered beyond a session, with the tools `recall` and `remember`; without it nothing is stored or looked for.",
  },
  "context.max_resource_bytes": {
    type: integer(0, 16 * 1024 * 1024),
    default: 65_536,
    about: "Bytes of resources and prompts of MCP servers that a turn's words may name; what does not fit is left out.",
    projectMayNarrow: true,
  },
  "context.max_fact_bytes": {
    type: integer(0, 1024 * 1024),
    default: 4096,
    about:
      "Bytes of remembered facts that the model is shown when a turn begins; 0 shows none, and `recall` finds them all the same.",
    projectMayNarrow: true,
  },
  "agents.enabled": {
    type: boolean,
    default: true,
    about: "Whether the model may hand work to agents, each in a session of its own, with the tool `spawn_agent`.",
  },
  "agents.max_depth": {
    type: integer(1, 8),
    default: 1,
    about: "How deep agents may stand below each other; with 1 an agent calls no other.",
    projectMayNarrow: true,
  },
};
