import { targetOf } from "@capstan/cli";
import {
  type ClaudeCommand,
  type ClaudeOptions,
  DialectLines,
  type Initialization,
  ourMode,
  type PreparedClaude,
  readClaudeCommand,
  serveClaude,
} from "@capstan/dialects";
import { programSource, type Settings } from "@capstan/host";
import { AppError, exitCodes } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { version } from "../version.ts";
import { serverSettings } from "./given-servers.ts";
import { dialectIdentity, dialectSettings, openDialect, StopRequests, warn } from "./open-dialect.ts";

/** `capstan embed --dialect claude`, and what the Claude Agent SDK starts. */
export async function runClaude(args: readonly string[]): Promise<number> {
  const command = readClaudeCommand(args);
  for (const text of command.warnings) warn(text);
  // First of all who looks at the output: a reader that went away is no request to stop what it began.
  const lines = new DialectLines({ input: process.stdin, output: process.stdout });
  const stops = new StopRequests();
  const stopListening = onStopSignal((reason) => stops.take(reason));
  const options: ClaudeOptions = {
    identity: dialectIdentity("claude"),
    version,
    partial: command.partial,
    asks: command.asks,
    prepare: async (initialization) => await prepare(command, initialization),
    warn,
    onStop: (listener) => stops.listen(listener),
  };
  const failure = await serveClaude(options, lines);
  stopListening();
  if (failure !== null) {
    reportError(failure);
    return exitCodeOf(failure);
  }
  return stops.reason === undefined || lines.isBroken ? 0 : exitCodes[stops.reason];
}

async function prepare(command: ClaudeCommand, initialization: Initialization): Promise<PreparedClaude> {
  const flags = await flagsOf(command, initialization);
  const bypass = command.mode === "bypassPermissions" || command.mode === "dontAsk" ? command.mode : undefined;
  const settings = await dialectSettings(flags, bypass);
  const { form } = await answerForm(command, initialization);
  return {
    model: settings.loaded.values.app.model ?? "",
    bypasses: bypass !== undefined,
    ...(await commandsOf(settings)),
    servers: Object.entries(settings.loaded.values.mcp_servers).flatMap(([name, { enabled }]) =>
      enabled ? [name] : [],
    ),
    async open(servers, hooks) {
      const tools = servers.flatMap((server) => server.tools);
      const { max_bytes: outputBytes } = settings.loaded.values.tools.output;
      const host = await openDialect({
        flags,
        settings,
        asks: command.asks && bypass !== "dontAsk",
        beginsSession: command.resume === undefined,
        hooks,
        ...(tools.length === 0 ? {} : { tools: programSource(tools, outputBytes, "servers") }),
      });
      try {
        const target = await targetOf(targetFlags(command), settings.workspace.cwd, host.client);
        return {
          client: host.client,
          target,
          ...(form === undefined ? {} : { form }),
          close: async () => await host.close(),
        };
      } catch (error) {
        await host.close();
        throw error;
      }
    },
  };
}

function targetFlags({ resume, fork, sessionId }: ClaudeCommand): Parameters<typeof targetOf>[0] {
  if (resume === undefined) return sessionId === undefined ? {} : { sessionId };
  return { ...(resume === "latest" ? { continue: true } : { resume }), forkSession: fork };
}

async function flagsOf(command: ClaudeCommand, initialization: Initialization): Promise<SettingsFlags> {
  const { model, effort, maxTurns, maxBudgetUsd, tools } = command;
  const systemPrompt = initialization.systemPrompt ?? command.systemPrompt;
  const appendSystemPrompt = initialization.appendSystemPrompt ?? command.appendSystemPrompt;
  const mode = modeOf(command.mode);
  return {
    ...(model === undefined || model === "default" ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(mode === undefined ? {} : { permissionMode: mode }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(appendSystemPrompt === undefined ? {} : { appendSystemPrompt }),
    ...(tools === undefined ? {} : { tools }),
    allowedTools: command.allowedTools,
    disallowedTools: command.disallowedTools,
    addDir: command.addDirectories,
    further: [
      ...(await serverSettings(command, initialization.mcpServers)),
      ...(command.fallbackModel === undefined
        ? []
        : [{ flag: "--fallback-model", key: "app.model_fallbacks", value: command.fallbackModel.split(",") }]),
      ...thinking(command.maxThinkingTokens),
    ],
  };
}

/** `0` is none at all. */
function thinking(tokens: string | undefined): NonNullable<SettingsFlags["further"]> {
  if (tokens === undefined) return [];
  const flag = "--max-thinking-tokens";
  const count = Number(tokens);
  if (!Number.isSafeInteger(count) || count < 0)
    throw new AppError("usage.invalid", `${flag} ${tokens}: expected a number of tokens`);
  const isOn = { flag, key: "anthropic.thinking_enabled", value: count > 0 };
  return count === 0 ? [isOn] : [isOn, { flag, key: "anthropic.thinking_budget_tokens", value: count }];
}

/** @throws {AppError} `usage.invalid` for a mode that there is not */
function modeOf(mode: string | undefined): string | undefined {
  if (mode === undefined || mode === "bypassPermissions" || mode === "dontAsk") return undefined;
  const ours = ourMode(mode);
  if (ours !== null) return ours;
  throw new AppError("usage.invalid", `--permission-mode ${mode}: expected default, acceptEdits, plan or auto`);
}

/** Its code loads only where a schema was given. */
async function answerForm(
  { jsonSchema }: ClaudeCommand,
  initialization: Initialization,
): Promise<Pick<Awaited<ReturnType<PreparedClaude["open"]>>, "form">> {
  const schema =
    jsonSchema ?? (initialization.jsonSchema === undefined ? undefined : JSON.stringify(initialization.jsonSchema));
  if (schema === undefined) return {};
  const { readAnswerSchema } = await import("../answers/answer-schema.ts");
  return { form: await readAnswerSchema(schema) };
}

async function commandsOf(settings: Settings): Promise<Pick<PreparedClaude, "commands" | "expand">> {
  const { findCustomCommands } = await import("../custom-commands/find-custom-commands.ts");
  const { expandPrompt } = await import("../custom-commands/expand-prompt.ts");
  const found = findCustomCommands(settings);
  const names = new Set(found.map(({ name }) => name));
  return {
    commands: found.map(({ name, description, argumentHint = "" }) => ({ name, description, argumentHint })),
    expand: (text) => (names.has(/^\/(\S+)/.exec(text)?.[1] ?? "") ? expandPrompt(text, settings).text : text),
  };
}
