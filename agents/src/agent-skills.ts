import type { LoadedSkill, Skills } from "@capstan/ports";
import { type Agent, type AgentProfile, type SessionConfig, ToolRefusal } from "@capstan/protocol";
import { maxSkillCharacters } from "./limits.ts";

type ChildConfig = SessionConfig & { readonly agent: AgentProfile };

/**
 * The skills that an agent's file names, as they are now.
 * @throws ToolRefusal for one that does not exist or is not trusted as it is: its limits would not hold either
 */
export async function loadSkills(
  { name: agent, skills: names = [] }: Agent,
  skills: Pick<Skills, "load"> | null,
): Promise<readonly LoadedSkill[]> {
  if (names.length === 0) return [];
  if (skills === null) throw refusal(agent, `There is no skill ${JSON.stringify(names[0])} here.`);
  const loaded: LoadedSkill[] = [];
  for (const name of new Set(names)) {
    try {
      loaded.push(await skills.load(name));
    } catch (error) {
      if (error instanceof ToolRefusal) throw refusal(agent, error.message);
      throw error;
    }
  }
  const characters = loaded.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > maxSkillCharacters)
    throw refusal(agent, `They have ${characters} characters together, and ${maxSkillCharacters} are read at most.`);
  return loaded;
}

/** The agent is instructed with its skills, too, and held to what each of them leaves, beside what its callers are held to. */
export function withSkills(config: ChildConfig, skills: readonly LoadedSkill[]): ChildConfig {
  if (skills.length === 0) return config;
  const { prompt, limits: above = [] } = config.agent;
  const limits = [...above, ...skills.flatMap((skill) => skill.limits ?? [])];
  return {
    ...config,
    agent: {
      ...config.agent,
      prompt: [prompt, ...skills.map(skillText)].join("\n\n"),
      ...(limits.length === 0 ? {} : { limits }),
    },
  };
}

function skillText({ skill: { name, file }, text, files }: LoadedSkill): string {
  const more = files.length === 0 ? "" : `\n\nIts further files: ${files.join(", ")}`;
  return `Skill ${name}, in ${file.replace(/\/SKILL\.md$/, "")}\n\n${text}${more}`;
}

function refusal(agent: string, why: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", `The agent ${agent} cannot have its skills. ${why}`);
}
