import { writeFile } from "node:fs/promises";
import { checkTarget, type TargetFlags, targetOf } from "@capstan/cli";
import { createHost, type Settings } from "@capstan/host";
import { AppError, type EngineClient, type SessionTarget, type UserContent, userText } from "@capstan/protocol";
import { assumedTheme, keymapOf, openTerminal, resetSequence, runTui, themes, type TuiOptions } from "@capstan/tui";
import { askTrustAtTerminal } from "../asking/ask-trust.ts";
import { editInEditor } from "../asking/edit-in-editor.ts";
import { identityHere } from "../asking/local-origin.ts";
import { readAttachments } from "../attachments.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { readReferences } from "../prompt-references.ts";
import { reportProblem } from "../report-error.ts";
import { asciiForm, wantsColors } from "../terminal.ts";
import { guardTerminal } from "../terminal-guard/guard-terminal.ts";
import { version } from "../version.ts";
import { expandPrompt } from "../custom-commands/expand-prompt.ts";
import { findCustomCommands } from "../custom-commands/find-custom-commands.ts";
import { clipboardImage } from "./clipboard-image.ts";
import { openSettingsDesk } from "./settings-desk.ts";

export interface TuiFlags extends SettingsFlags, TargetFlags {
  readonly screen?: string;
}

/** `capstan` alone at a terminal. */
export async function openTui(words: string | undefined, flags: TuiFlags): Promise<number> {
  requireTerminal(process.env);
  checkTarget(flags);
  const screen = screenOf(flags.screen);
  const guard = await guardTerminal(resetSequence);
  try {
    const settings = await settingsFromFlags(flags, askTrustAtTerminal());
    const id = await runHere(settings, flags, { words, screen });
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
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of endSignals) process.on(signal, end);
  try {
    return await runTui({
      ...screenOptions(settings, asked.screen),
      engine: host.client,
      terminal: openTerminal(process.stdin, process.stdout),
      identity: { ...identityHere("operate"), frontend: "tui" },
      target: await targetHere(flags, settings.workspace.cwd, host.client),
      surroundings: {
        cwd: settings.workspace.cwd,
        customCommands: () =>
          findCustomCommands(settings).map(({ name, description, argumentHint = "" }) => ({
            name,
            takes: argumentHint,
            about: description,
          })),
        expandCommand: (text) => expandPrompt(text, settings).text,
        referencesOf,
        edit: (text, kind) => editInEditor(text, kind, process.env),
        clipboardImage: () => clipboardImage(process.env),
        writeFile: writeNew,
        settings: openSettingsDesk(settings, flags),
      },
      words: asked.words === undefined ? [] : await contentOf(asked.words),
      notices: [...settings.loaded.warnings, ...(isYolo(flags) ? [yoloWarning] : [])],
      suspend: () => process.kill(process.pid, "SIGTSTP"),
      signal: ending.signal,
    });
  } finally {
    for (const signal of endSignals) process.off(signal, end);
    await host.close();
  }
}

const yoloWarning = "WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.";

async function targetHere(flags: TuiFlags, cwd: string, client: EngineClient): Promise<SessionTarget> {
  const target = await targetOf(flags, cwd, client);
  return flags.name === undefined || target.type !== "new" ? target : { ...target, title: flags.name };
}

/** What the settings say about the screen. */
function screenOptions(
  { loaded }: Settings,
  screen: Asked["screen"],
): Pick<
  TuiOptions,
  "isFull" | "keymap" | "asksBackground" | "reducedMotion" | "notifies" | "vim" | "pasteLimits" | "theme" | "asSent"
> {
  const { app, tui, keys } = loaded.values;
  return {
    isFull: (screen ?? app.tui) === "full",
    reducedMotion: app.reduced_motion,
    notifies: tui.notify,
    vim: tui.vim,
    keymap: keymapOf(keys),
    pasteLimits: { lines: tui.paste_lines, characters: tui.paste_characters },
    ...themeOptions(wantsColors(process.stdout) ? (app.high_contrast ? "high-contrast" : tui.theme) : "none"),
    asSent: app.ascii_only ? asciiForm : (text) => text,
  };
}

function themeOptions(
  name: Settings["loaded"]["values"]["tui"]["theme"],
): Pick<TuiOptions, "asksBackground" | "theme"> {
  if (name !== "auto") return { asksBackground: false, theme: themes[name] };
  // The console of Linux has sixteen colours on black, and no such question.
  const { TERM, COLORFGBG } = process.env;
  return TERM === "linux"
    ? { asksBackground: false, theme: themes["16"] }
    : { asksBackground: true, theme: assumedTheme(COLORFGBG) };
}

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @throws {AppError} `usage.invalid` where nobody can sit at a screen */
function requireTerminal({ TERM = "" }: NodeJS.ProcessEnv): void {
  const isThere = process.stdin.isTTY && process.stdout.isTTY;
  if (isThere && TERM !== "" && TERM !== "dumb") return;
  const why = isThere
    ? `TERM is ${TERM === "" ? "not set" : TERM}`
    : "standard input and output are not both a terminal";
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
