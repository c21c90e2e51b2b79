import type { Git } from "@capstan/ports";
import type { EffectClass, JsonObject, RiskLevel } from "@capstan/protocol";
import { dropped, renamed } from "../../arguments/argument-alias.ts";
import type { GitToolName } from "../../git/git-builders.ts";
import { maxGitBytes, maxTimeoutMs, minTimeoutMs } from "../../git/limits.ts";
import type { ToolEntry } from "../../tool-entry.ts";

interface GitToolText {
  readonly name: GitToolName;
  readonly description: string;
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  readonly effect: Extract<EffectClass, "read" | "execute">;
  readonly risk: RiskLevel;
  /** It shows what files hold: rules about reading speak of it. */
  readonly showsContent?: true;
}

/** Git, for models that find these tools. @see seed F21 */
export function gitTools(git: () => Promise<Git>): readonly ToolEntry[] {
  return texts.map((text) => ({
    ...entryOf(text),
    load: async ({ options, paths }) => {
      const { createGitTool, gitBuilders } = await import("../../implementations.ts");
      return createGitTool(text.name, {
        options,
        paths: await paths(),
        git: await git(),
        build: gitBuilders[text.name],
        risk: text.risk,
      });
    },
  }));
}

const yes = { type: "boolean" };
const words = { type: "string", minLength: 1 };
const many = { type: "array", items: words };
const whole = { type: "integer", minimum: 0 };

const texts: readonly GitToolText[] = [
  {
    name: "git_status",
    description: "State of the working tree.",
    properties: { porcelain: yes, branch: yes, untracked: yes },
    effect: "read",
    risk: "low",
  },
  {
    name: "git_diff",
    description: "Changes of the working tree, of the index (cached), or between two commits.",
    properties: {
      cached: yes,
      stat: yes,
      name_only: yes,
      unified: { ...whole, description: "Lines of context" },
      paths: many,
      max_bytes: { type: "integer", minimum: 1, maximum: maxGitBytes },
      from_ref: words,
      to_ref: words,
    },
    effect: "read",
    risk: "low",
    showsContent: true,
  },
  {
    name: "git_restore",
    description: "Throw changes of files away (worktree), or take them out of the index (staged).",
    properties: { paths: { ...many, minItems: 1 }, staged: yes, worktree: { ...yes, description: "Default true" } },
    required: ["paths"],
    effect: "execute",
    risk: "high",
  },
  {
    name: "git_add",
    description: "Put files into the index: paths, all, or all that are tracked (update).",
    properties: { paths: many, all: yes, update: yes },
    effect: "execute",
    risk: "medium",
  },
  {
    name: "git_commit",
    description: 'Commit the index with the message "type(scope): message". No hook runs.',
    properties: { type: { ...words, description: "feat, fix, …" }, scope: words, message: words },
    required: ["type", "message"],
    effect: "execute",
    risk: "medium",
  },
  {
    name: "git_log",
    description: "Commits.",
    properties: {
      max_count: { type: "integer", minimum: 1, maximum: 10_000 },
      oneline: yes,
      format: words,
      author: words,
      since: words,
      until: words,
      grep: words,
      path: words,
    },
    effect: "read",
    risk: "low",
  },
  {
    name: "git_branch",
    description: "List branches, or create, delete or rename one.",
    properties: {
      list_all: yes,
      list_remote: yes,
      create: words,
      delete: words,
      force_delete: words,
      rename: words,
      new_name: words,
    },
    effect: "execute",
    risk: "medium",
  },
  {
    name: "git_checkout",
    description: "Switch to a branch, a new branch or a commit, or take paths of a commit.",
    properties: { branch: words, create_branch: words, commit: words, paths: many },
    effect: "execute",
    risk: "medium",
  },
  {
    name: "git_stash",
    description: "Put changes aside, and bring them back.",
    properties: {
      action: { enum: ["push", "pop", "apply", "drop", "list", "show", "clear"] },
      message: words,
      index: whole,
      include_untracked: yes,
    },
    effect: "execute",
    risk: "medium",
  },
  {
    name: "git_show",
    description: "One commit with its changes.",
    properties: { commit: words, stat: yes, name_only: yes, format: words },
    effect: "read",
    risk: "low",
    showsContent: true,
  },
  {
    name: "git_blame",
    description: "Who changed which line of a file last.",
    properties: {
      path: words,
      start_line: { type: "integer", minimum: 1 },
      end_line: { type: "integer", minimum: 1 },
      commit: words,
    },
    required: ["path"],
    effect: "read",
    risk: "low",
    showsContent: true,
  },
];

/** What every call takes; it works as well without. */
const common: JsonObject = {
  working_dir: { type: "string" },
  timeout_ms: { type: "integer", minimum: minTimeoutMs, maximum: maxTimeoutMs },
  max_stdout_bytes: { type: "integer", minimum: 1, maximum: maxGitBytes },
  max_stderr_bytes: { type: "integer", minimum: 1, maximum: maxGitBytes },
};

function entryOf({
  name,
  description,
  properties,
  required = [],
  effect,
  showsContent,
}: GitToolText): Omit<ToolEntry, "load"> {
  const inputSchema = { type: "object", properties, required: [...required], additionalProperties: false };
  return {
    name,
    definition: () => ({ description, inputSchema, deferred: true }),
    accepts: { properties: common, required },
    effect,
    settles: effect === "execute",
    // What changes is a command, and rules about commands hold for it.
    rules:
      effect === "execute"
        ? { names: commandNames, pattern: "command", contents: "untouched" }
        : {
            names: showsContent === true ? ["read", "view"] : [],
            pattern: "path",
            contents: showsContent === true ? "read" : "untouched",
          },
    aliases: [],
    argumentAliases: [
      renamed("working_dir", ["cwd", "workdir", "repo_path"]),
      renamed("timeout_ms", ["timeoutMs"]),
      dropped(["explanation"]),
    ],
  };
}

const commandNames = ["run_command", "run", "bash", "shell", "sh", "pwsh", "powershell", "terminal", "exec"];

export const gitToolEntries: readonly Omit<ToolEntry, "load">[] = texts.map(entryOf);
