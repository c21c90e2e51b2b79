import { openSandbox, openTools, prepareDataDirectory, sandboxFor, callTool, type ToolCallReport } from "@capstan/host";
import { AppError, isJsonObject, type JsonObject, messageOf } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags, warningsOf } from "../command-line/settings-flags.ts";
import { onStopSignal } from "../terminal.ts";

interface OutputFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan tools list`. */
export async function listTools(flags: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  const tools = openTools(settings, await prepareDataDirectory(settings.home));
  for (const { name, description } of tools.definitions()) {
    print(
      flags.json === true
        ? JSON.stringify({ name, effect: tools.find(name)?.effect, aliases: tools.find(name)?.aliases, description })
        : `${name.padEnd(16)}${firstSentence(description)}`,
    );
  }
  return 0;
}

/** `capstan tools show NAME`: what the model reads about a tool. */
export async function showTool(name: string, flags: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  const tool = openTools(settings, await prepareDataDirectory(settings.home)).find(name);
  if (tool === undefined) throw unknownTool(name);
  const { definition, effect, aliases } = tool;
  if (flags.json === true) print(JSON.stringify({ ...definition, effect, aliases }));
  else
    print(
      `${definition.name} (${effect}; also ${aliases.join(", ")})\n\n${definition.description}\n\n${JSON.stringify(definition.inputSchema, null, 2)}`,
    );
  return 0;
}

/** `capstan tools call NAME JSON`: one tool without a model, through the same checks. */
export async function callToolByHand(name: string, json: string, flags: OutputFlags): Promise<number> {
  const args = parseArguments(json);
  const settings = await settingsFromFlags(flags);
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${warning}\n`);
  const data = await prepareDataDirectory(settings.home);
  const box = openSandbox(settings, data);
  const tools = openTools(settings, data, { sandbox: box });
  if (tools.find(name) === undefined) throw unknownTool(name);
  const stop = new AbortController();
  const unlisten = onStopSignal((reason) => stop.abort(new Error(reason)));
  try {
    const report = await callTool(name, args, {
      tools,
      workspace: settings.workspace,
      policy: settings.policy,
      mode: settings.loaded.values.permissions.mode,
      sandbox: await sandboxFor(settings, box),
      signal: stop.signal,
      onOutput: (stream, text) =>
        void (flags.json !== true && stream === "stderr" ? process.stderr.write(inertText(text)) : undefined),
    });
    if (flags.json === true) print(JSON.stringify(report));
    else print(inertText(report.outcome.content));
    return exitCode(report);
  } finally {
    unlisten();
  }
}

function parseArguments(json: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AppError("usage.invalid", `the arguments are not valid JSON: ${messageOf(error)}`, {
      cause: error,
      hint: `Write them like '{"path":"README.md"}'.`,
    });
  }
  if (!isJsonObject(value))
    throw new AppError("usage.invalid", "the arguments must be a JSON object", {
      hint: `Write them like '{"path":"README.md"}'.`,
    });
  return value;
}

function exitCode({ outcome }: ToolCallReport): number {
  switch (outcome.type) {
    case "done":
    case "proposed":
      return 0;
    case "denied":
      return 3;
    case "cancelled":
      return 130;
    case "failed":
    case "rejected":
    case "unknown":
      return 1;
  }
}

function unknownTool(name: string): AppError {
  return new AppError("usage.invalid", `there is no tool named ${JSON.stringify(name)}`, {
    hint: "`capstan tools list` shows them.",
  });
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
