import { didYouMean, findSkills, openSkills, type Settings, userFolders } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan skills list`. */
export async function listSkills({ json = false }: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const { skills, notices } = await findSkills(settings);
  for (const { text } of notices) process.stderr.write(`capstan: ${inertText(text)}\n`);
  for (const { skill, isHidden } of skills) {
    const { name, description, from } = skill;
    const where = from === "workspace" ? " (this folder)" : "";
    const line = json ? JSON.stringify({ ...skill, isHidden }) : `${name}${where}  ${description}`;
    process.stdout.write(`${inertText(line)}\n`);
  }
  if (skills.length === 0 && !json) process.stderr.write(`${none(settings)}\n`);
  return 0;
}

function none({ home, env, trust }: Settings): string {
  const folders = userFolders(home, env).map(inertText).join(", ");
  const brought = trust.ignored.some((place) => place.class === "skills");
  const hint = brought ? " This folder brings skills along; they count once you trust it: capstan trust add" : "";
  return `There are no skills: none in ${folders}.${hint}`;
}

/** `capstan skills show NAME`: what a model reads. */
export async function showSkill(name: string, { json = false }: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const opened = await openSkills(settings);
  const names = (opened?.list() ?? []).map((skill) => skill.name);
  if (opened === null || !names.includes(name))
    throw new AppError("usage.invalid", `there is no skill ${JSON.stringify(name)}${didYouMean(name, names)}`, {
      hint: "Try: capstan skills list",
    });
  const { skill, text, files } = await opened.load(name);
  const lines = json
    ? [JSON.stringify({ ...skill, text, files })]
    : [`${skill.name}: ${skill.description}`, skill.file, "", text, ...files.map((file) => `- ${file}`)];
  process.stdout.write(`${inertText(lines.join("\n"))}\n`);
  return 0;
}
