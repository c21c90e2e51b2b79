import { inertLine } from "@capstan/patterns";
import type { Prompt } from "@modelcontextprotocol/client";
import { maxFieldLength, maxListed } from "../limits.ts";
import type { ServerLink } from "../link/server-link.ts";
import type { ResultMedia } from "../result-media.ts";
import { resourceText } from "../result-text.ts";

/** What a resource holds, in words and pictures. @throws Error in words for people */
export async function readResource(
  link: ServerLink,
  uri: string,
  media: ResultMedia,
  signal: AbortSignal,
): Promise<string> {
  const { contents } = await link.ask(
    async ({ client }) => await client.readResource({ uri }, { signal, cacheMode: "bypass" }),
  );
  return contents.map((part) => resourceText(part, media)).join("\n");
}

/** Its resources and templates of addresses, a line each. @throws Error in words for people */
export async function listResources(link: ServerLink, signal: AbortSignal): Promise<string> {
  return await link.ask(async ({ client }) => {
    const fresh = { signal, cacheMode: "bypass" } as const;
    const { resources } = await client.listResources({}, fresh);
    const { resourceTemplates } = await client
      .listResourceTemplates({}, fresh)
      .catch(() => ({ resourceTemplates: [] }));
    const lines = [
      ...resources.map(({ uri, name, description }) => lineOf(uri, name, description)),
      ...resourceTemplates.map(({ uriTemplate, name, description }) =>
        lineOf(`${uriTemplate} (a pattern: fill in what is in braces)`, name, description),
      ),
    ];
    const more = lines.length > maxListed ? [`(${lines.length - maxListed} more)`] : [];
    return lines.length === 0 ? "It has no resources now." : [...lines.slice(0, maxListed), ...more].join("\n");
  });
}

/** Its prompts. @throws Error in words for people */
export async function listPrompts(link: ServerLink, signal: AbortSignal): Promise<readonly Prompt[]> {
  return await link.ask(async ({ client }) => {
    if (client.getServerCapabilities()?.prompts === undefined) return [];
    const { prompts } = await client.listPrompts({}, { signal, cacheMode: "bypass" });
    return prompts.slice(0, maxListed);
  });
}

/**
 * What a prompt says with these arguments.
 * @param given  as they were typed: `name=value`, or words in the order of the prompt's arguments, the last of which takes the rest
 * @throws Error in words for people
 */
export async function readPrompt(link: ServerLink, name: string, given: string, signal: AbortSignal): Promise<string> {
  const prompts = await listPrompts(link, signal);
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) {
    const names = prompts.map((each) => each.name).join(", ");
    throw new Error(
      `it has no prompt ${JSON.stringify(name)}${names === "" ? "" : `; there are ${inertLine(names, maxFieldLength)}`}`,
    );
  }
  const args = promptArguments(prompt, given);
  const { messages } = await link.ask(
    async ({ client }) => await client.getPrompt({ name, arguments: args }, { signal }),
  );
  const texts = messages.map(({ role, content }) => {
    const text =
      content.type === "text"
        ? content.text
        : content.type === "resource" && "text" in content.resource
          ? content.resource.text
          : `[${content.type}: not shown]`;
    return messages.length === 1 ? text : `${role}: ${text}`;
  });
  return texts.join("\n\n");
}

function promptArguments(prompt: Prompt, given: string): Record<string, string> {
  const known = prompt.arguments ?? [];
  const words = given.trim() === "" ? [] : given.trim().split(/\s+/);
  const args: Record<string, string> = {};
  const named = words.map((word) => /^([\w.-]+)=(.*)$/s.exec(word));
  if (words.length > 0 && named.every((match) => match !== null && known.some(({ name }) => name === match[1])))
    for (const match of named) args[match?.[1] ?? ""] = match?.[2] ?? "";
  else
    for (const [at, { name }] of known.entries()) {
      const value = at === known.length - 1 ? words.slice(at).join(" ") : words[at];
      if (value !== undefined && value !== "") args[name] = value;
    }
  const missing = known.find(({ name, required }) => required === true && args[name] === undefined);
  if (missing !== undefined) throw new Error(`its argument ${JSON.stringify(missing.name)} is missing`);
  return args;
}

function lineOf(uri: string, name: string, description: string | undefined): string {
  const about = description === undefined ? "" : ` - ${inertLine(description, maxFieldLength)}`;
  return `${uri}  ${name}${about}`;
}
