import { writeFile } from "node:fs/promises";
import { checkTarget, type TargetFlags, targetOf } from "@capstan/cli";
import { createHost, type Settings } from "@capstan/host";
import { AppError, type EngineClient, type SessionTarget, type UserContent, userText } from "@capstan/protocol";
import { openTerminal, resetSequences, runAloud, runTui, type TuiOptions } from "@capstan/tui";
import { askTrustAtTerminal } from "../asking/ask-trust.ts";
import { editInEditor } from "../asking/edit-in-editor.ts";
import { identityHere } from "../asking/local-origin.ts";
import { readAttachments } from "../attachments.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { readReferences } from "../prompt-references.ts";
import { reportProblem } from "../report-error.ts";
import { guardTerminal, type TerminalGuard } from "../terminal-guard/guard-terminal.ts";
import { version } from "../version.ts";
import { meantBy } from "../custom-commands/expand-prompt.ts";
import { findCustomCommands } from "../custom-commands/find-custom-commands.ts";
import { clipboardImage } from "./clipboard-image.ts";
import { openLineTerminal } from "./line-terminal.ts";
import { screenOptions } from "./screen-options.ts";
import { openSettingsDesk } from "./settings-desk.ts";

export interface TuiFlags extends SettingsFlags, TargetFlags {
  readonly screen?: string;
  readonly screenReader?: boolean;
}

/** `capstan tui`. */
export async function openTui(words: string | undefined, flags: TuiFlags): Promise<number> {
  requireTerminal(process.env);
  checkTarget(flags);
  const screen = screenOf(flags.screen);
  const guard = await guardTerminal(resetSequences);
  try {
    const settings = await settingsFromFlags(flags, askTrustAtTerminal());
    const id = await runHere(settings, flags, { words, screen, shows: (shown) => guard.shows(shown) });
    process.stdout.write(`Continue with: capstan tui -r ${id}\n`);
    return 0;
  } finally {
    guard.release();
    process.stdin.destroy();
  }
}

interface Asked {
  readonly words: string | undefined;
  readonly screen: "inline" | "full" | undefined;
  readonly shows: TerminalGuard["shows"];
}

async function runHere(settings: Settings, flags: TuiFlags, asked: Asked): Promise<string> {
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    beginsSession: flags.continue !== true && flags.resume === undefined,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
  const isAloud = flags.screenReader === true || settings.loaded.values.app.screen_reader;
  const signals = isAloud ? endSignalsAloud : endSignals;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of signals) process.on(signal, end);
  try {
    const options = {
      ...screenOptions(settings, asked.screen),
      engine: host.client,
      identity: { ...identityHere("operate"), frontend: "tui" },
      target: await targetHere(flags, settings.workspace.cwd, host.client),
      surroundings: surroundingsOf(settings, flags),
      words: asked.words === undefined ? [] : await contentOf(asked.words),
      notices: [...settings.loaded.warnings, ...(isYolo(flags) ? [yoloWarning] : [])],
      suspend: (): void => void process.kill(process.pid, "SIGTSTP"),
      version,
      signal: ending.signal,
    };
    return isAloud
      ? await runAloud({ ...options, lines: openLineTerminal(process.stdin, process.stdout) })
      : await runTui({ ...options, terminal: openTerminal(process.stdin, process.stdout, asked.shows) });
  } finally {
    for (const signal of signals) process.off(signal, end);
    await host.close();
  }
}

function surroundingsOf(settings: Settings, flags: TuiFlags): TuiOptions["surroundings"] {
  return {
    cwd: settings.workspace.cwd,
    customCommands: () =>
      findCustomCommands(settings).map(({ name, description, argumentHint = "" }) => ({
        name,
        takes: argumentHint,
        about: description,
      })),
    expandCommand: (text) => meantBy(text, settings),
    referencesOf,
    edit: (text, kind) => editInEditor(text, kind, process.env),
    clipboardImage: () => clipboardImage(process.env),
    writeFile: writeNew,
    settings: openSettingsDesk(settings, flags),
  };
}

const yoloWarning = "WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.";

async function targetHere(flags: TuiFlags, cwd: string, client: EngineClient): Promise<SessionTarget> {
  const target = await targetOf(flags, cwd, client);
  return flags.name === undefined || target.type !== "new" ? target : { ...target, title: flags.name };
}

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Of a terminal that edits its own lines, Ctrl-C is a signal: it stops the turn. */
const endSignalsAloud = ["SIGTERM", "SIGHUP"] as const;

/** @throws {AppError} `usage.invalid` where nobody can sit at a screen */
function requireTerminal({ TERM = "", CI = "" }: NodeJS.ProcessEnv): void {
  const isThere = process.stdin.isTTY && process.stdout.isTTY;
  const isMachine = CI !== "" && CI !== "0" && CI !== "false";
  if (isThere && !isMachine && TERM !== "" && TERM !== "dumb") return;
  const why = !isThere
    ? "standard input and output are not both a terminal"
    : isMachine
      ? "CI is set"
      : `TERM is ${TERM === "" ? "not set" : TERM}`;
  throw new AppError("usage.invalid", `the terminal UI needs a terminal, and ${why}`, {
    hint: 'Try: capstan run "…"',
  });
}

function screenOf(name: string | undefined): "inline" | "full" | undefined {
  if (name === undefined || name === "inline" || name === "full") return name;
  throw new AppError("usage.invalid", `--screen must be inline or full, and it is ${name}`);
}

async function contentOf(words: string): Promise<readonly UserContent[]> {
  const { attachments } = await referencesOf(words);
  return [...attachments, ...userText(words)];
}

async function referencesOf(
  text: string,
): Promise<{ readonly attachments: readonly UserContent[]; readonly missing: readonly string[] }> {
  const { files, missing } = readReferences(text);
  return { attachments: await readAttachments(files), missing };
}

/** @throws what the file system says; a file that is there is left alone */
async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600 });
}
