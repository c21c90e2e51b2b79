import type { SessionId } from "@capstan/protocol";
import { errorsOf, newErrors } from "./problems/new-errors.ts";
import type { FileProblems, Problem } from "./problems/problem.ts";
import { LanguageServer } from "./server/language-server.ts";
import type { NamedServer } from "./server/named-server.ts";
import type { ServerSurroundings } from "./server/running-server.ts";

/** The language servers of a workspace: what each session knows of the files that it changed. */
export class LanguageServers {
  readonly #servers: readonly LanguageServer[];
  readonly #settleMs: number;
  /** By session and path: the errors that its model knows of. */
  readonly #known = new Map<SessionId, Map<string, readonly Problem[]>>();
  readonly #named = new Set<LanguageServer>();

  constructor(servers: readonly NamedServer[], around: ServerSurroundings) {
    this.#settleMs = around.waits.settleMs;
    this.#servers = servers.map((server) => new LanguageServer(server, around));
  }

  /** A session changed these files. @returns errors that are new, as far as servers say so in time */
  async changed(session: SessionId, paths: readonly string[], signal: AbortSignal): Promise<readonly FileProblems[]> {
    const known = this.#known.get(session) ?? new Map<string, readonly Problem[]>();
    this.#known.set(session, known);
    for (const path of paths) if (this.#follow(path) && !known.has(path)) known.set(path, []);
    return await this.news(session, signal);
  }

  /** What came to light since, also of files that somebody else changed again. */
  async news(session: SessionId, signal: AbortSignal): Promise<readonly FileProblems[]> {
    const known = this.#known.get(session);
    if (known === undefined || known.size === 0) return [];
    await this.#look(AbortSignal.any([signal, AbortSignal.timeout(this.#settleMs)]));
    const news: FileProblems[] = [];
    for (const { path, server, problems } of this.#problemsOf([...known.keys()])) {
      const errors = newErrors(known.get(path) ?? [], problems);
      known.set(path, errorsOf(problems));
      if (errors.length > 0) news.push({ path, server, problems: errors });
    }
    return news;
  }

  /** What is wrong with the files that a session changed; `null`: it changed none that a server is named for. */
  async ofSession(session: SessionId): Promise<readonly FileProblems[] | null> {
    const known = this.#known.get(session);
    if (known === undefined || known.size === 0) return null;
    return await this.look([...known.keys()], AbortSignal.timeout(this.#settleMs));
  }

  /** What is wrong with these files, waited for until `signal` ends the waiting. */
  async look(paths: readonly string[], signal: AbortSignal): Promise<readonly FileProblems[]> {
    for (const path of paths) this.#follow(path);
    await this.#look(signal);
    return this.#problemsOf(paths);
  }

  /** Servers that failed since this was asked last, with why. */
  failures(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#servers.flatMap((each) => {
      if (each.failure === null || this.#named.has(each)) return [];
      this.#named.add(each);
      return [{ name: each.server.name, reason: each.failure }];
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.end()));
  }

  #follow(path: string): boolean {
    const server = this.#serverFor(path);
    server?.follow(path);
    return server !== undefined;
  }

  /** The first that is named for such files. */
  #serverFor(path: string): LanguageServer | undefined {
    return this.#servers.find((server) => server.isFor(path));
  }

  async #look(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.look(signal)));
  }

  #problemsOf(paths: readonly string[]): readonly FileProblems[] {
    return paths.flatMap((path) => {
      const server = this.#serverFor(path);
      const problems = server?.problems(path);
      return server === undefined || problems === undefined ? [] : [{ path, server: server.server.name, problems }];
    });
  }
}
