import type { Tool, ToolSource } from "@capstan/ports";
import { inertText } from "../paths/inert-text.ts";
import { maxDeferredTools, maxToolNameLength, maxTools } from "./limits.ts";

/**
 * Chooses tools by name. The first to take a name keeps it: in any case and with or without underscores, since rules and models
 * take such spellings for one name. So no tool comes by what a user allowed another one to do.
 */
export class ToolChoice {
  readonly tools: Tool[] = [];
  /** What was left out, a sentence each. */
  readonly problems: string[] = [];
  #deferred = 0;
  readonly #owners = new Map<string, Owner>();

  add(source: ToolSource): void {
    for (const name of source.reservedNames()) {
      if (!this.#owners.has(fold(name))) this.#owners.set(fold(name), { source });
    }
    for (const tool of source.tools()) {
      const problem = this.#problemOf(tool, source);
      if (problem === undefined) this.#take(tool, source);
      else this.problems.push(`The tool ${shown(tool)} of ${source.label} is left out: ${problem}.`);
    }
  }

  #problemOf(tool: Tool, source: ToolSource): string | undefined {
    const { name } = tool.definition;
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) || name.length > maxToolNameLength)
      return `its name must be letters, digits, "_" and "-", at most ${maxToolNameLength}`;
    if (!this.#isFree(name, tool, source)) return `its name means a tool of ${this.#ownerOf(name)} already`;
    const isDeferred = tool.definition.deferred === true;
    const [same, limit] = isDeferred
      ? [this.#deferred, maxDeferredTools]
      : [this.tools.length - this.#deferred, maxTools];
    return same >= limit ? `there are ${limit} tools already` : undefined;
  }

  #take(tool: Tool, source: ToolSource): void {
    const aliases = tool.aliases.filter((alias) => this.#isFree(alias, tool, source));
    const lost = tool.aliases.filter((alias) => !aliases.includes(alias));
    if (lost.length > 0) {
      const names = inertText(lost.join(", "), maxToolNameLength);
      this.problems.push(`The tool ${shown(tool)} of ${source.label} is not called ${names}: other tools are.`);
    }
    for (const name of [tool.definition.name, ...aliases]) this.#owners.set(fold(name), { source, tool });
    if (tool.definition.deferred === true) this.#deferred += 1;
    this.tools.push(lost.length === 0 ? tool : { ...tool, aliases });
  }

  #isFree(name: string, tool: Tool, source: ToolSource): boolean {
    const owner = this.#owners.get(fold(name));
    return owner === undefined || (owner.source === source && (owner.tool ?? tool) === tool);
  }

  #ownerOf(name: string): string {
    return this.#owners.get(fold(name))?.source.label ?? "";
  }
}

/** `tool`: absent while a source only reserves the name. */
interface Owner {
  readonly source: ToolSource;
  readonly tool?: Tool;
}

function shown({ definition }: Tool): string {
  return inertText(definition.name, maxToolNameLength);
}

/** `WebFetch`, `web_fetch` and `webfetch` are one name. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}
