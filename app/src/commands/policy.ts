import { type CommandExplanation, explainPolicy as explainCommand } from "@capstan/host";
import type { Judgement } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags, warningsOf } from "../settings-flags.ts";

/** `capstan policy explain COMMAND`: how the gatekeeper reads a command, and what it would say. */
export async function explainPolicy(
  command: string,
  flags: SettingsFlags & { readonly json?: boolean },
): Promise<number> {
  const settings = await settingsFromFlags(flags);
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${warning}\n`);
  const mode = settings.loaded.values.permissions.mode;
  const explanation = await explainCommand(settings, { command });
  const text =
    flags.json === true ? JSON.stringify({ mode, ...explanation }, null, 2) : lines(explanation, mode).join("\n");
  process.stdout.write(`${inertText(text)}\n`);
  return 0;
}

function lines({ notUnderstood, segments, judgement }: CommandExplanation, mode: string): readonly string[] {
  const understood =
    notUnderstood === undefined
      ? segments.flatMap(({ words, decidedBy, judgement: own }) => [
          `  ${JSON.stringify(words.join(" "))}`,
          `    ${own.verdict} (${decidedBy}): ${own.reason}${ruleText(own)}`,
        ])
      : [`  not understood: the script has ${notUnderstood}`];
  return [
    `${judgement.verdict} (mode ${mode})`,
    `  ${judgement.reason}${ruleText(judgement)}`,
    ...(understood.length === 0 ? [] : ["Read as:", ...understood]),
  ];
}

function ruleText({ rule }: Judgement): string {
  return rule === undefined ? "" : ` [rule ${rule.text}, ${rule.source}]`;
}
