import type { Tool, ToolCatalog, ToolNotice, ToolSource } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { requiredFields, schemaFields } from "../arguments/schema-types.ts";
import { type ArgumentCheck, createArgumentCheck } from "../check-arguments.ts";
import { searchToolsEntry } from "../definitions/search-tools.ts";
import { routeCall } from "../dialects/route-call.ts";
import { maxTools } from "./limits.ts";
import { searchTool } from "./search-tool.ts";
import { ToolChoice } from "./tool-choice.ts";

/** The tools of several sources as one. */
export interface ComposedCatalog extends ToolCatalog {
  /** Every name that finds a tool, those of other agents too. */
  names(): readonly string[];
  /** What was left out because of its name, and why; grows with changes of the sources. */
  notices(): readonly ToolNotice[];
  /** Notified when a source has changed, with what people should know of it. @returns ends the subscription */
  subscribe(onChange: (news: readonly ToolNotice[]) => void): () => void;
  /** Makes ready what first calls would wait for, beside whatever else is done. */
  prepare(): void;
  close(): Promise<void>;
}

/** Which tools exist for a catalog. */
export interface ToolSelection {
  /** Only these; `null` or absent: all. */
  readonly enabled?: readonly string[] | null;
  /** All but these. */
  readonly disabled?: readonly string[];
}

/**
 * @param sources  those that count most first: a tool whose name is taken by an earlier one is left out, which is noticed
 * @param selection  names or aliases; the names of tools that are left out stay taken
 */
export function composeCatalog(sources: readonly ToolSource[], selection: ToolSelection = {}): ComposedCatalog {
  const catalog = new Catalog(sources, selection);
  const keepResult = sources.find((source) => source.keepResult !== undefined)?.keepResult;
  return {
    definitions: () => catalog.tools().map(({ definition }) => definition),
    find: (name) => catalog.find(name),
    names: () => catalog.tools().flatMap(({ definition, aliases }) => [definition.name, ...aliases]),
    route: (name, args) => routeCall(name, args, (wanted) => catalog.find(wanted)),
    check: (tool, args) => catalog.check(tool, args),
    notices: () => catalog.notices(),
    ...(keepResult === undefined ? {} : { keepResult }),
    subscribe: (onChange) => catalog.subscribe(onChange),
    prepare: () => {
      for (const source of sources) source.prepare?.();
    },
    close: async () => await catalog.close(),
  };
}

class Catalog {
  readonly #sources: readonly ToolSource[];
  readonly #selection: ToolSelection;
  readonly #subscribers = new Set<(news: readonly ToolNotice[]) => void>();
  readonly #subscriptions: readonly (() => void)[];
  readonly #notices = new Map<string, ToolNotice>();
  readonly #check: ArgumentCheck;
  #chosen: { readonly tools: readonly Tool[]; readonly find: Find } | undefined;

  constructor(sources: readonly ToolSource[], selection: ToolSelection) {
    this.#sources = sources;
    this.#selection = selection;
    this.#check = createArgumentCheck((field) =>
      this.tools().flatMap(({ definition: { name, inputSchema } }) => (isOwnField(inputSchema, field) ? [name] : [])),
    );
    this.#subscriptions = sources.map((source) => source.subscribe((news) => this.#change(news)));
  }

  tools(): readonly Tool[] {
    return this.#present().tools;
  }

  find(name: string): Tool | undefined {
    return this.#present().find(name);
  }

  check(tool: Tool, args: JsonObject): ReturnType<ArgumentCheck> {
    return this.#check(tool, args);
  }

  notices(): readonly ToolNotice[] {
    this.#present();
    return [...this.#notices.values()];
  }

  subscribe(onChange: (news: readonly ToolNotice[]) => void): () => void {
    // Wrapped, so that one function that subscribes twice is two subscribers.
    const subscriber = (news: readonly ToolNotice[]): void => onChange(news);
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#subscribers.clear();
    for (const end of this.#subscriptions) end();
    await Promise.all(this.#sources.map(async (source) => await source.close()));
  }

  #change(news: readonly ToolNotice[] = []): void {
    const known = new Set(this.notices().map(({ text }) => text));
    this.#chosen = undefined;
    const further = this.notices().filter(({ text }) => !known.has(text));
    for (const subscriber of this.#subscribers) subscriber([...news, ...further]);
  }

  #present(): { readonly tools: readonly Tool[]; readonly find: Find } {
    if (this.#chosen !== undefined) return this.#chosen;
    const choice = new ToolChoice();
    for (const source of this.#sources) choice.add(source);
    for (const text of choice.problems) this.#notices.set(text, { level: "warning", code: "tool.name-taken", text });
    const findAny = createFinder(choice.tools);
    const { enabled = null, disabled = [] } = this.#selection;
    const refused = new Set(disabled.map((name) => findAny(name)));
    const wanted = enabled === null ? undefined : new Set(enabled.map((name) => findAny(name)));
    const chosen = choice.tools.filter((tool) => !refused.has(tool) && wanted?.has(tool) !== false);
    const isSearched = enabled === null && !disabled.some((name) => isSearch(name));
    const tools = isSearched ? withSearch(chosen) : this.#atOnce(chosen);
    this.#chosen = { tools, find: createFinder(tools) };
    return this.#chosen;
  }

  /** Where tools are chosen by name, or nothing can be found, none is deferred. */
  #atOnce(tools: readonly Tool[]): readonly Tool[] {
    if (tools.length > maxTools) {
      const text = `${tools.length - maxTools} tools are left out: a request holds ${maxTools}, and they cannot be searched.`;
      this.#notices.set(text, { level: "warning", code: "tool.name-taken", text });
    }
    return tools.slice(0, maxTools).map((tool) => {
      const { deferred, ...definition } = tool.definition;
      return deferred === undefined ? tool : { ...tool, definition };
    });
  }
}

/** Deferred tools come with the one that finds them. */
function withSearch(tools: readonly Tool[]): readonly Tool[] {
  const deferred = tools.flatMap(({ definition }) => (definition.deferred === true ? [definition] : []));
  return deferred.length === 0 ? tools : [...tools, searchTool(deferred)];
}

function isSearch(name: string): boolean {
  return [searchToolsEntry.name, ...searchToolsEntry.aliases].some(
    (known) => known.toLowerCase() === name.toLowerCase(),
  );
}

/** Fields a tool cannot do without say which tool was meant; optional ones such as `limit` do not. */
function isOwnField(schema: JsonObject, field: string): boolean {
  return Object.hasOwn(schemaFields(schema), field) && requiredFields(schema).includes(field) && field !== "path";
}

type Find = (name: string) => Tool | undefined;

/** Exact names first, so that case is ignored only where nothing else fits. */
function createFinder(tools: readonly Tool[]): Find {
  const exact = new Map<string, Tool>();
  const folded = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.definition.name, ...tool.aliases]) {
      exact.set(name, exact.get(name) ?? tool);
      folded.set(name.toLowerCase(), folded.get(name.toLowerCase()) ?? tool);
    }
  }
  return (name) => exact.get(name) ?? folded.get(name.toLowerCase());
}
