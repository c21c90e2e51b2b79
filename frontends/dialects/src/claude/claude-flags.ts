import { type ForeignWords, named, readForeignFlags } from "../lines/foreign-flags.ts";

/** What the command line says that the Claude Agent SDK starts a program with. */
export interface ClaudeCommand {
  /** The session to continue; `latest`: the latest one here. Absent: a new one. */
  readonly resume?: string;
  readonly fork: boolean;
  readonly sessionId?: string;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly mode?: string;
  /** The program answers what needs a user. */
  readonly asks: boolean;
  /** Pieces of answers are shown as they come. */
  readonly partial: boolean;
  readonly maxTurns?: string;
  readonly maxBudgetUsd?: string;
  readonly maxThinkingTokens?: string;
  readonly effort?: string;
  readonly jsonSchema?: string;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly tools?: readonly string[];
  readonly mcpConfigs: readonly string[];
  readonly onlyGivenServers: boolean;
  readonly addDirectories: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** What is left out, a sentence each. */
  readonly warnings: readonly string[];
}

const flags = {
  "--output-format": "value",
  "--input-format": "value",
  "--verbose": "switch",
  "--print": "switch",
  "-p": "switch",
  "--include-partial-messages": "switch",
  "--replay-user-messages": "switch",
  "--allow-dangerously-skip-permissions": "switch",
  "--dangerously-skip-permissions": "switch",
  "--strict-mcp-config": "switch",
  "--fork-session": "switch",
  "--continue": "switch",
  "-c": "switch",
  "--resume": "value",
  "-r": "value",
  "--session-id": "value",
  "--permission-prompt-tool": "value",
  "--permission-mode": "value",
  "--model": "value",
  "--fallback-model": "value",
  "--max-turns": "value",
  "--max-budget-usd": "value",
  "--max-thinking-tokens": "value",
  "--effort": "value",
  "--json-schema": "value",
  "--allowedTools": "repeated",
  "--allowed-tools": "repeated",
  "--disallowedTools": "repeated",
  "--disallowed-tools": "repeated",
  "--tools": "repeated",
  "--mcp-config": "repeated",
  "--setting-sources": "value",
  "--add-dir": "repeated",
  "--system-prompt": "value",
  "--append-system-prompt": "value",
} as const;

/** @throws {AppError} `usage.invalid` for a flag without its value */
export function readClaudeCommand(args: readonly string[]): ClaudeCommand {
  const read = readForeignFlags(args, flags);
  const value = (...names: readonly string[]): string | undefined =>
    names.map((name) => read.values.get(name)).find((one) => one !== undefined);
  const list = (...names: readonly string[]): readonly string[] => names.flatMap((name) => read.lists.get(name) ?? []);
  const has = (...names: readonly string[]): boolean => names.some((name) => read.switches.has(name));
  const resume = value("--resume", "-r") ?? (has("--continue", "-c") ? "latest" : undefined);
  return {
    ...named("resume", resume),
    ...named("sessionId", value("--session-id")),
    ...named("model", value("--model")),
    ...named("fallbackModel", value("--fallback-model")),
    ...named("mode", has("--dangerously-skip-permissions") ? "bypassPermissions" : value("--permission-mode")),
    ...named("maxTurns", value("--max-turns")),
    ...named("maxBudgetUsd", value("--max-budget-usd")),
    ...named("maxThinkingTokens", value("--max-thinking-tokens")),
    ...named("effort", value("--effort")),
    ...named("jsonSchema", value("--json-schema")),
    ...named("systemPrompt", value("--system-prompt")),
    ...named("appendSystemPrompt", value("--append-system-prompt")),
    ...(read.lists.has("--tools") ? { tools: list("--tools") } : {}),
    fork: has("--fork-session"),
    asks: value("--permission-prompt-tool") === "stdio",
    partial: has("--include-partial-messages"),
    allowedTools: list("--allowedTools", "--allowed-tools"),
    disallowedTools: list("--disallowedTools", "--disallowed-tools"),
    mcpConfigs: list("--mcp-config"),
    onlyGivenServers: has("--strict-mcp-config"),
    addDirectories: list("--add-dir"),
    warnings: warningsOf(read, value("--permission-prompt-tool")),
  };
}

function warningsOf({ unknown, words }: ForeignWords, promptTool: string | undefined): readonly string[] {
  return [
    ...unknown.map((name) => `${name} means nothing here and is left out`),
    ...words.map((word) => `${JSON.stringify(word)} belongs to no flag and is left out: messages come as lines`),
    ...(promptTool === undefined || promptTool === "stdio"
      ? []
      : ["--permission-prompt-tool: only `stdio` is spoken, so nobody is asked"]),
  ];
}
