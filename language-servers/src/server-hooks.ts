import type { HookReport, HookRequest, HookRunner } from "@capstan/ports";
import type { FileProblem, HookEntry, HookOutcome, SessionId } from "@capstan/protocol";
import type { LanguageServers } from "./language-servers.ts";
import { errorNotice } from "./problems/problem-lines.ts";

const name = "language servers";

/** When they are asked: after each change, and before each step for what came later. */
export const entries: readonly HookEntry[] = [
  { id: "language-servers:changes", name, by: "user", event: "AfterApplyChanges", matcher: "" },
  { id: "language-servers:steps", name, by: "user", event: "BeforeModelCall", matcher: "" },
];

/** Tells the model what is wrong with the files that it changed. */
export class ServerHooks implements HookRunner {
  readonly #open: () => Promise<LanguageServers>;

  /** @param open  called at the first change: nothing of them is loaded before */
  constructor(open: () => Promise<LanguageServers>) {
    this.#open = open;
  }

  #servers: Promise<LanguageServers> | undefined;

  async run(
    { event, entries: asked, facts, sessionId, workspace }: HookRequest,
    signal: AbortSignal,
  ): Promise<HookReport> {
    const startedAt = performance.now();
    const report = (message?: string, context?: string): HookReport => {
      const durationMs = Math.round(performance.now() - startedAt);
      const said = message === undefined ? {} : { message };
      const outcomes = asked.map(({ id, name: label, by }): HookOutcome => ({
        id,
        name: label,
        by,
        result: message === undefined ? "passed" : "failed",
        ...said,
        durationMs,
      }));
      return { outcomes, answer: context === undefined ? {} : { context: [context] } };
    };
    const isChange = event === "AfterApplyChanges";
    if (!isChange && this.#servers === undefined) return report();
    const servers = await (this.#servers ??= this.#open());
    const news = isChange
      ? await servers.changed(sessionId, pathsIn(facts["changes"]), signal)
      : await servers.news(sessionId, signal);
    signal.throwIfAborted();
    return report(failureOf(servers), errorNotice(workspace.cwd, news));
  }

  /** What they say of the files that a session changed; `null`: none was asked. */
  async problems(id: SessionId): Promise<readonly FileProblem[] | null> {
    const servers = await this.#servers;
    const files = (await servers?.ofSession(id)) ?? null;
    return (
      files?.flatMap(({ path, server, problems }) => problems.map((problem) => ({ path, server, ...problem }))) ?? null
    );
  }

  async end(): Promise<void> {
    const servers = await this.#servers;
    await servers?.end();
  }
}

function failureOf(servers: LanguageServers): string | undefined {
  const failures = servers.failures();
  if (failures.length === 0) return undefined;
  const each = failures.map(({ name: server, reason }) => `${server}: ${reason}`);
  return `${each.join("; ")}. It is not asked again before Capstan is started again`;
}

function pathsIn(changes: unknown): readonly string[] {
  return Array.isArray(changes) ? changes.filter((path): path is string => typeof path === "string") : [];
}
