import { isJsonObject, type Agent, type AgentBudget } from "@capstan/protocol";
import { maxSkillNames, maxToolNames, maxVariables } from "./limits.ts";

/** A field of an agent's file that cannot be meant; its message says which, and what it takes. */
export class WrongField extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/** What an agent's front matter says beside its name, its description and its tools. @throws WrongField */
export function fieldsOfAgent(
  fields: Fields,
): Omit<Agent, "name" | "description" | "from" | "file" | "prompt" | "tools"> {
  const model = modelOf(fields);
  const without = namesOf(fields["disallowedTools"] ?? fields["disallowed_tools"]);
  const subagents = namesOf(fields["subagents"] ?? fields["allowed_subagents"] ?? fields["allowedSubagents"]);
  const budget = budgetOf(fields);
  const variables = variablesOf(fields["variables"]);
  const compactor = textOf(fields["compactor"]);
  return {
    ...(model === undefined ? {} : { model }),
    ...(textOf(fields["isolation"]) === "worktree" ? { isolation: "worktree" } : {}),
    ...(textOf(fields["background"]) === "true" ? { background: true } : {}),
    ...(without === null ? {} : { withoutTools: without }),
    ...(subagents === null ? {} : { subagents }),
    ...skillsOf(fields),
    // Of another agent's modes only the one counts that lowers what it may do.
    ...(textOf(fields["permissionMode"] ?? fields["permission_mode"]) === "plan" ? { mode: "plan" } : {}),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(compactor === undefined ? {} : { compactor }),
    ...(variables === undefined ? {} : { variables }),
  };
}

/** A profile of a provider, and a model of it, are one name here. */
function modelOf({ model, provider }: Fields): string | undefined {
  const name = textOf(model);
  const of = textOf(provider);
  if (name === undefined || name === "inherit") return undefined;
  return of === undefined || name.includes("/") ? name : `${of}/${name}`;
}

/** A list, or words with commas or blanks between them; what stands in brackets belongs to a rule and is no name. */
export function namesOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [textOf(value) ?? ""];
  return texts.flatMap((text) => text.replaceAll(/\([^()]*\)/g, "").match(/[^\s,]+/g) ?? []).slice(0, maxToolNames);
}

function skillsOf(fields: Fields): Pick<Agent, "skills"> {
  const skills = namesOf(fields["skills"]) ?? [];
  if (skills.length > maxSkillNames) throw new WrongField(`skills takes at most ${maxSkillNames} names`);
  return skills.length === 0 ? {} : { skills };
}

const budgetNames: Readonly<Record<string, keyof AgentBudget>> = {
  steps: "steps",
  tokens: "tokens",
  cost_usd: "costUsd",
  seconds: "seconds",
};

/** `budget` with its four fields; `maxTurns` is what Claude Code calls its steps. */
function budgetOf(fields: Fields): AgentBudget {
  const steps = fields["maxTurns"] ?? fields["max_turns"];
  const given = fields["budget"] ?? {};
  if (!isJsonObject(given)) throw new WrongField("budget takes steps, tokens, cost_usd and seconds");
  const budget: Record<string, number> = steps === undefined ? {} : { steps: positive("maxTurns", steps) };
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(budgetNames, name) ? budgetNames[name] : undefined;
    if (field === undefined)
      throw new WrongField(`budget has no ${JSON.stringify(name)}: it takes steps, tokens, cost_usd and seconds`);
    budget[field] = positive(`budget.${name}`, value);
  }
  return budget;
}

function positive(name: string, value: unknown): number {
  const number = Number(textOf(value));
  if (Number.isFinite(number) && number > 0) return number;
  throw new WrongField(`${name} takes a number above 0`);
}

function variablesOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new WrongField("variables takes names with their values");
  const entries = Object.entries(value).slice(0, maxVariables);
  return Object.fromEntries(
    entries.map(([name, one]) => {
      const text = textOf(one);
      if (text === undefined) throw new WrongField(`variables.${name} takes a text, a number, true or false`);
      return [name, text];
    }),
  );
}

/** A text, also one that YAML read as a number or a truth value; `undefined`: none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
