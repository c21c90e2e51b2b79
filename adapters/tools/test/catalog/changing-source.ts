import type { Tool, ToolNotice, ToolSource } from "@capstan/ports";

/** A source whose tools a test changes. */
export class ChangingSource implements ToolSource {
  readonly label: string;
  readonly #reserved: readonly string[];
  readonly #subscribers = new Set<{ readonly notify: (news?: readonly ToolNotice[]) => void }>();
  #tools: readonly Tool[];

  constructor(label: string, tools: readonly Tool[], reserved: readonly string[] = []) {
    this.label = label;
    this.#tools = tools;
    this.#reserved = reserved;
  }

  change(tools: readonly Tool[], news?: readonly ToolNotice[]): void {
    this.#tools = tools;
    for (const subscriber of this.#subscribers) subscriber.notify(news);
  }

  tools(): readonly Tool[] {
    return this.#tools;
  }

  reservedNames(): readonly string[] {
    return this.#reserved;
  }

  subscribe(notify: (news?: readonly ToolNotice[]) => void): () => void {
    const subscriber = { notify };
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#subscribers.clear();
    await Promise.resolve();
  }
}

/** A tool that reads and says its name. */
export function namedTool(name: string, aliases: readonly string[] = []): Tool {
  return {
    definition: { name, description: `Says ${name}.`, inputSchema: { type: "object" } },
    aliases,
    effect: "read",
    prepare: async (args) =>
      await Promise.resolve({ tool: name, arguments: args, effect: "read", risk: "low", paths: [], summary: name }),
    run: async () => await Promise.resolve({ status: "ok", content: name }),
  };
}
