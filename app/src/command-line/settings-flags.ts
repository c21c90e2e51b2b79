import { checkFlags, loadSettings, type Settings, type SettingsOptions } from "@capstan/host";
import { AppError, type JsonObject, type JsonValue, modeSentences, permissionModes } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { type Command, Option } from "commander";
import { splitTools } from "./tool-words.ts";

/** Flags that say where and under which configuration; every command that needs either has them. */
export interface SettingsFlags {
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly config?: string;
  readonly preset?: string;
  readonly set?: readonly string[];
  readonly safeMode?: boolean;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly sandbox?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Of other agents' command lines: several rules in one. */
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly tools?: readonly string[];
  readonly disableTools?: readonly string[];
  readonly effort?: string;
  readonly persona?: readonly string[];
  readonly trust?: boolean;
  readonly yolo?: boolean;
  readonly dangerouslySkipPermissions?: boolean;
  readonly strategy?: string;
  readonly maxTurns?: string;
  readonly maxBudgetUsd?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** No flag: MCP servers that an editor passes, each as a table of the configuration. */
  readonly editorServers?: Readonly<Record<string, JsonObject>>;
  /** What other flags say, each under the key that it stands for. */
  readonly further?: SettingsOptions["flags"];
}

export function withSettingsFlags(command: Command): Command {
  return command
    .option("-C, --cwd <dir>", "work in this directory")
    .option("--add-dir <dir>", "a further directory the session may touch (repeatable)", collect)
    .option("--config <file>", "read this file in place of the user's config.toml")
    .option("--preset <name>", "apply [presets.NAME] of the user's file")
    .option("--set <key=value>", "set a configuration key (repeatable)", collect)
    .option("--safe-mode", "read no configuration file");
}

/** @param withoutToolNames  `--tools` means something else there: `--set tools.enabled=…` says the same */
export function withPermissionFlags(
  command: Command,
  { withoutToolNames = false }: { readonly withoutToolNames?: boolean } = {},
): Command {
  const ruled = command
    .option("--permission-mode <mode>", "plan, default, accept-edits or auto")
    .addOption(new Option("--mode <mode>", "the same as --permission-mode").hideHelp())
    .on("option:mode", (mode: string) => command.setOptionValueWithSource("permissionMode", mode, "cli"))
    .option(
      "--sandbox <mode>",
      "required, preferred or off (a user's choice: off lets commands run with all your rights)",
    )
    .option("--allow <rule>", "allow calls like run_command(npm test) (repeatable)", collect)
    .option("--deny <rule>", "deny calls like read_file(secrets/**) (repeatable)", collect)
    .option("--allowed-tools <rules>", "several such rules in one, with commas: Bash(git log:*),Read", collect)
    .option("--disallowed-tools <rules>", "several rules that deny, in one", collect)
    .addOption(new Option("--allowedTools <rules>").argParser(collect).hideHelp())
    .addOption(new Option("--disallowedTools <rules>").argParser(collect).hideHelp());
  const chosen = withoutToolNames
    ? ruled
    : ruled.option("--tools <names>", "the model is offered only these tools, with commas (default: all)", collect);
  return chosen
    .option("--disable-tools <names>", "the model is not offered these tools, with commas", collect)
    .option("--trust", "for this run, load what the folder brings along: configuration, instructions (announced)")
    .option("--yolo", "allow everything that no rule denies or asks for (announced)")
    .option("--dangerously-skip-permissions", "the same as --yolo")
    .addHelpText("after", modesHelp);
}

/** The modes, each with its sentence. */
function modesHelp({ command }: { readonly command: Command }): string {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = Math.max(...permissionModes.map((mode) => mode.length));
  const lines = permissionModes.map((mode) => help.formatItem(mode, width, modeSentences[mode], help));
  return `\nModes:\n${lines.join("\n")}`;
}

/**
 * @param askTrust  asks the user whether they trust the workspace; without it nobody is asked
 * @throws AppError `config.*`, `usage.*`
 */
export async function settingsFromFlags(
  flags: SettingsFlags,
  askTrust?: SettingsOptions["askTrust"],
): Promise<Settings> {
  return await loadSettings({
    env: process.env,
    cwd: flags.cwd ?? process.cwd(),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
    ...(flags.preset === undefined ? {} : { preset: flags.preset }),
    sets: flags.set ?? [],
    flags: flagSettings(flags),
    safeMode: flags.safeMode === true,
    addDirectories: flags.addDir ?? [],
    yolo: isYolo(flags),
    trustOnce: flags.trust === true,
    ...(askTrust === undefined ? {} : { askTrust }),
  });
}

/** For who loads the settings later: whether the flags say what they may. @throws AppError `config.invalid` */
export function checkSettingsFlags(flags: SettingsFlags): void {
  checkFlags(flagSettings(flags));
}

/** What the flags say, each under the key that it stands for. */
function flagSettings(flags: SettingsFlags): SettingsOptions["flags"] {
  const settings: readonly (readonly [flag: string, key: string, value: JsonValue | undefined])[] = [
    ["--model", "app.model", flags.model],
    ["--permission-mode", "permissions.mode", modeOf(flags.permissionMode)],
    ["--sandbox", "sandbox.mode", flags.sandbox],
    ["--allow", "permissions.allow", flags.allow],
    ["--allowed-tools", "permissions.allow", flags.allowedTools?.flatMap(splitTools)],
    ["--deny", "permissions.deny", flags.deny],
    ["--disallowed-tools", "permissions.deny", flags.disallowedTools?.flatMap(splitTools)],
    ["--tools", "tools.enabled", onlyTools(flags.tools)],
    ["--disable-tools", "tools.disabled", flags.disableTools?.flatMap(splitTools)],
    ["--effort", "app.effort", flags.effort],
    ["--persona", "app.personas", flags.persona],
    ["--strategy", "tools.strategy", flags.strategy],
    ["--max-turns", "limits.max_model_calls_per_turn", numeric(flags.maxTurns)],
    ["--max-budget-usd", "limits.max_cost_usd", numeric(flags.maxBudgetUsd)],
    ["--system-prompt", "prompt.system_prompt", flags.systemPrompt],
    ["--append-system-prompt", "prompt.append_system_prompt", flags.appendSystemPrompt],
    ["the editor", "mcp_servers", flags.editorServers],
  ];
  return [
    ...settings.flatMap(([flag, key, value]) => (value === undefined ? [] : [{ flag, key, value }])),
    ...(flags.further ?? []),
  ];
}

/** Sentences for a user who looks at the configuration: what of it was ignored, and why. What only the model reads is not among them. */
export function warningsOf({ loaded, trust }: Settings): readonly string[] {
  const concerned = trust.places.some((place) => place.class !== "instructions");
  const notices = trust.notices.filter(({ code }) => always.has(code) || (concerned && code !== "trust.note"));
  return [...loaded.warnings, ...notices.map((notice) => notice.text)].map(inertText);
}

const always: ReadonlySet<string> = new Set(["trust.flag", "trust.store"]);

export function isYolo(flags: SettingsFlags): boolean {
  return flags.yolo === true || flags.dangerouslySkipPermissions === true;
}

/** `default` means all of them. */
function onlyTools(texts: readonly string[] | undefined): JsonValue | undefined {
  const names = texts?.flatMap(splitTools);
  return names?.includes("default") === true ? undefined : names;
}

/** What other agents count among the modes, and what is a flag of its own here. @throws AppError `usage.invalid` */
function modeOf(mode: string | undefined): string | undefined {
  if (mode === undefined || !/^(?:bypass-?permissions|bypass|yolo|danger-full-access)$/i.test(mode)) return mode;
  throw new AppError(
    "usage.invalid",
    `--permission-mode ${mode}: to let everything run without asking is no mode, but --yolo`,
    {
      hint: 'Try: capstan run --yolo "…"',
    },
  );
}

/** What is not a number is left as it is: the configuration's check says what was expected. */
function numeric(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
