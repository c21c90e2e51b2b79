import type { DialectLines } from "../lines/dialect-lines.ts";
import { type OneTurn, runOneTurn } from "../session/one-turn.ts";
import type { TurnEnd } from "../session/turn-end.ts";
import { type CodexEvent, CodexItems } from "./codex-items.ts";

/**
 * One turn in the lines of `codex exec --json`. It asks nobody: what needs a user is denied, or waits for whoever else has the session.
 * @returns how it ended; `null`: whoever reads has gone
 */
export async function serveCodex(turn: OneTurn, lines: DialectLines): Promise<TurnEnd | null> {
  const items = new CodexItems();
  const write = async (events: readonly CodexEvent[]): Promise<void> => {
    for (const event of events) await lines.write(event);
  };
  return await runOneTurn(turn, lines, {
    opened: async ({ snapshot: { sessionId } }) =>
      await write([{ type: "thread.started", thread_id: sessionId }, { type: "turn.started" }]),
    record: async (event) => await write(items.take(event)),
    ended: async (end) => await write([...items.end(), endOf(end)]),
    ask: async () => await Promise.resolve(null),
  });
}

/** Whether the turn came to an answer. */
export function isCompleted({ outcome, misfit }: TurnEnd): boolean {
  return (outcome === "done" || outcome === "proposed" || outcome === "tool-denied") && misfit === undefined;
}

function endOf(end: TurnEnd): CodexEvent {
  const { usage } = end.spent;
  if (isCompleted(end))
    return {
      type: "turn.completed",
      usage: {
        input_tokens: usage.inputTokens,
        cached_input_tokens: usage.cachedInputTokens,
        cache_write_input_tokens: usage.cacheWriteTokens,
        output_tokens: usage.outputTokens,
        reasoning_output_tokens: usage.reasoningTokens,
      },
    };
  const misfit = end.misfit === undefined ? undefined : `the answer does not fit the schema: ${end.misfit}`;
  return { type: "turn.failed", error: { message: misfit ?? end.message ?? end.outcome } };
}
