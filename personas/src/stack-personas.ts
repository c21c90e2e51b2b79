import { AppError, type PersonaProfile } from "@capstan/protocol";
import { maxStacked } from "./limits.ts";
import { identityText } from "./identity.ts";
import type { Persona } from "./persona.ts";

/** Calls about the session itself: a list of tools does not mean to take them away. */
const ofSession = ["ask_user", "exit_plan_mode", "update_plan"];

/**
 * The personas of these names with those that they extend, each once: what is extended comes before what extends it, and else the lower
 * priority first, then the order of the names as they were given.
 * @param toolNamed  our name of a tool that has this name here or with another agent
 * @throws AppError `usage.invalid` for a name that leads nowhere, a ring, or too many
 */
export function stackPersonas(
  names: readonly string[],
  known: readonly Persona[],
  toolNamed: (name: string) => string | undefined,
): readonly PersonaProfile[] {
  const stacked = new Map<string, Persona>();
  const add = (wanted: readonly string[], below: readonly string[]): void => {
    const personas = wanted.map((name) => personaNamed(name, known, below.at(-1)));
    for (const persona of personas.toSorted((one, other) => one.priority - other.priority)) {
      if (below.includes(persona.name))
        throw wrong(`the personas ${[...below, persona.name].join(" → ")} extend one another`);
      if (stacked.has(persona.name)) continue;
      if (below.length > maxStacked) throw tooMany();
      add(persona.extends, [...below, persona.name]);
      stacked.set(persona.name, persona);
      if (stacked.size > maxStacked) throw tooMany();
    }
  };
  add(names, []);
  return withIdentity([...stacked.values()], toolNamed);
}

/** What several say of themselves is said once, after the last of them. */
function withIdentity(
  personas: readonly Persona[],
  toolNamed: (name: string) => string | undefined,
): readonly PersonaProfile[] {
  const text = identityText(personas.flatMap(({ identity }) => identity ?? []));
  const last = personas.findLast(({ identity }) => identity !== undefined);
  return personas.map((persona) => {
    const profile = profileOf(persona, toolNamed);
    if (persona !== last || text === "") return profile;
    return { ...profile, prompt: [persona.prompt, text].filter((part) => part !== "").join("\n\n") };
  });
}

function personaNamed(name: string, known: readonly Persona[], by: string | undefined): Persona {
  const persona = known.find((each) => each.name === name);
  if (persona !== undefined) return persona;
  throw wrong(`there is no persona ${JSON.stringify(name)}${by === undefined ? "" : `, which ${by} extends`}`);
}

function profileOf(
  { name, prompt, tools, withoutTools }: Persona,
  toolNamed: (name: string) => string | undefined,
): PersonaProfile {
  const ours = (named: readonly string[]): readonly string[] => named.map((each) => toolNamed(each) ?? each);
  return {
    name,
    prompt,
    ...(tools === null ? {} : { tools: [...new Set([...ours(tools), ...ofSession])] }),
    ...(withoutTools.length === 0 ? {} : { withoutTools: ours(withoutTools) }),
  };
}

function tooMany(): AppError {
  return wrong(`a session has at most ${maxStacked} personas`);
}

function wrong(message: string): AppError {
  return new AppError("usage.invalid", message, { hint: "`capstan personas` lists what there is." });
}
