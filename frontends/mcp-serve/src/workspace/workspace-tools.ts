import type { JsonObject, SessionClient, SessionId, ToolDefinition, ToolOutcome } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { maxCallsPerToolSession } from "../limits.ts";
import { followTurn } from "../sessions/follow-turn.ts";
import { accepted, type SessionParts } from "../sessions/session-parts.ts";
import { shownQuestions, waitingWords } from "../sessions/shown-rest.ts";
import type { CallResult, CallSurroundings, ServerTool } from "../tools/server-tool.ts";
import { callWords, relayModelName } from "./relay-model.ts";

/** The tools of the workspace, called by the client itself in a session of their own. */
export class WorkspaceTools {
  readonly #parts: SessionParts;
  readonly tools: readonly ServerTool[];
  #session: SessionId | undefined;
  #calls = 0;
  #before: Promise<unknown> = Promise.resolve();

  constructor(parts: SessionParts, definitions: readonly ToolDefinition[]) {
    this.#parts = parts;
    this.tools = definitions.map((definition) => ({
      name: definition.name,
      description: definition.description,
      inputSchema: definition.inputSchema,
      isReading: false,
      role: "drive",
      call: async (args, surroundings) =>
        await this.#inTurn(async () => await this.#call(definition.name, args, surroundings)),
    }));
  }

  /** One call after the other: each is a turn. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#before.then(work, work);
    this.#before = result.catch(() => undefined);
    return await result;
  }

  async #call(tool: string, args: JsonObject, surroundings: CallSurroundings): Promise<CallResult> {
    if (surroundings.signal.aborted) return { text: "Cancelled before it began.", isError: true };
    return await this.#inSession(async (session) => {
      const { pending, seq } = await session.snapshot();
      if (pending.length > 0) return { text: waitingWords(session.id, shownQuestions(pending)), isError: true };
      const turnId = this.#parts.client.newTurnId();
      accepted(await session.submit({ type: "user-input", turnId, content: callWords(tool, args) }));
      const followed = { client: this.#parts.client, session, turnId, isOpen: false, after: seq };
      const { report, questions } = await followTurn(followed, surroundings);
      if (questions.length > 0) return { text: waitingWords(session.id, shownQuestions(questions)) };
      return outcomeResult(report.lastCall, report.ended?.message ?? report.ended?.outcome ?? "");
    });
  }

  async #inSession<Result>(work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    const { held } = this.#parts;
    this.#calls += 1;
    if (this.#session !== undefined && this.#calls <= maxCallsPerToolSession) return await held.in(this.#session, work);
    this.#calls = 1;
    return await held.begin("Tools of an MCP client", async (session) => {
      accepted(await session.submit({ type: "set", settings: { model: relayModelName } }));
      this.#session = session.id;
      return await work(session);
    });
  }
}

/** @param end  how the turn ended, where there was no call */
export function outcomeResult(outcome: ToolOutcome | null, end: string): CallResult {
  if (outcome === null) return { text: `The call did not run: ${inertText(end)}`, isError: true };
  const text = inertText(outcome.content);
  if (outcome.type !== "done" && outcome.type !== "proposed") return { text, isError: true };
  const media = outcome.type === "done" ? (outcome.media ?? []) : [];
  return { text, images: media.map(({ mediaType, data }) => ({ mediaType, base64: data })) };
}
