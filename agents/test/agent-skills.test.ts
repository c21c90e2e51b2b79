/** The skills that an agent's file names come with their limits, or the agent is not called. */
import type { LoadedSkill, Skills } from "@capstan/ports";
import { type Agent, ToolRefusal } from "@capstan/protocol";
import { expect, test } from "vitest";
import { loadSkills } from "../src/agent-skills.ts";

function agentWith(...skills: readonly string[]): Agent {
  return { name: "maker", description: "makes", from: "user", prompt: "Make it.", tools: null, skills };
}

function skillsOf(texts: Readonly<Record<string, string>>): Pick<Skills, "load"> {
  return {
    load: (name) => {
      const text = texts[name];
      if (text === undefined)
        return Promise.reject(new ToolRefusal("rejected", "tool.bad-arguments", `no skill ${name}`));
      const skill = { name, description: name, file: `/skills/${name}/SKILL.md`, from: "user" as const };
      return Promise.resolve<LoadedSkill>({ skill, text, files: [] });
    },
  };
}

test("each skill is read once, in the order of the file", async () => {
  const loaded = await loadSkills(agentWith("style", "release", "style"), skillsOf({ release: "R", style: "S" }));
  expect(loaded.map(({ text }) => text)).toEqual(["S", "R"]);
});

test("a skill that is missing, and skills that are too long together, refuse the call with the reason", async () => {
  await expect(loadSkills(agentWith("style"), skillsOf({}))).rejects.toThrow("agent maker cannot have its skills. no");
  await expect(loadSkills(agentWith("style"), null)).rejects.toThrow('There is no skill "style" here.');
  const long = skillsOf({ style: "s".repeat(30_000), release: "r".repeat(30_001) });
  await expect(loadSkills(agentWith("style", "release"), long)).rejects.toThrow("60001 characters together");
  expect(await loadSkills(agentWith(), null)).toEqual([]);
});
