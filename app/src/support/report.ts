import { homedir, release } from "node:os";
import { checkInstallation, describeOrigin, environmentRedactor, explainKey, type Settings } from "@capstan/host";
import { messageOf } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { version } from "../version.ts";

const lineCharacters = 1000;
const marks = { good: "ok", bad: "WRONG", note: "note" } as const;
/** What they say of the terminal holds no secret. */
const terminalVariables = ["TERM", "COLORTERM", "TERM_PROGRAM", "LANG", "LC_ALL", "NO_COLOR", "TMUX", "SSH_TTY", "CI"];

/**
 * `capstan doctor --report`: what somebody who helps has to know, to be read before it is sent: machine, versions, sandbox, and what the
 * configuration changes. No key, no user's name, no folder of theirs.
 */
export async function systemReport(flags: SettingsFlags): Promise<string> {
  const checks = await checkInstallation(process.env, () => settingsFromFlags(flags));
  const lines = [
    "## Capstan's report",
    "",
    `- capstan ${version}, Node ${process.versions.node}`,
    `- ${process.platform} ${process.arch}, ${release()}`,
    ...terminalVariables.flatMap((name) => {
      const value = process.env[name] ?? "";
      return value === "" ? [] : [`- ${name}=${name === "TMUX" || name === "SSH_TTY" ? "set" : value}`];
    }),
    "",
    "### Checks",
    "",
    ...checks.map(({ name, verdict, text }) => `- ${marks[verdict]} ${name}: ${text}`),
    "",
    "### Configuration that differs from the defaults",
    "",
    ...(await settingsFromFlags(flags).then(changedLines, (error: unknown) => [`- WRONG ${messageOf(error)}`])),
  ];
  const hide = environmentRedactor(process.env);
  return lines.map((line) => withoutHome(inertLine(hide(line), lineCharacters))).join("\n");
}

function changedLines({ loaded }: Settings): readonly string[] {
  const lines = [...loaded.keys.keys()].flatMap((name) => {
    const { key, value, origin } = explainKey(loaded, name);
    return origin.layer === "default" ? [] : [`- ${key} = ${JSON.stringify(value)} (${describeOrigin(origin)})`];
  });
  return [...(lines.length === 0 ? ["- none"] : lines), ...loaded.warnings.map((text) => `- warning: ${text}`)];
}

function withoutHome(text: string): string {
  const home = homedir();
  return home.length > 1 ? text.replaceAll(home, "~") : text;
}
