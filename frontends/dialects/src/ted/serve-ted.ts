import type { ConversationPage, JsonObject, Message, SessionClient, SessionSnapshot } from "@capstan/protocol";
import type { DialectLines } from "../lines/dialect-lines.ts";
import { type OneTurn, runOneTurn } from "../session/one-turn.ts";
import type { TurnEnd } from "../session/turn-end.ts";
import { type TedLine, TedLines } from "./ted-lines.ts";

export interface TedOptions {
  /** The session was held before. */
  readonly isResumed: boolean;
  /** Everything runs unasked that no rule denies. */
  readonly trusts: boolean;
}

const messagesPerPage = 500;

/**
 * One turn in the lines of `ted chat --embedded`. It asks nobody: what needs a user is denied, or waits for whoever else has the session.
 * @returns how it ended; `null`: whoever reads has gone
 */
export async function serveTed(turn: OneTurn, lines: DialectLines, options: TedOptions): Promise<TurnEnd | null> {
  let projection = new TedLines([]);
  let sessionId = "";
  const write = async (written: readonly TedLine[]): Promise<void> => {
    for (const { type, data } of written)
      await lines.write({ type, timestamp: Date.now(), session_id: sessionId, data });
  };
  return await runOneTurn(turn, lines, {
    async opened({ session, snapshot }) {
      ({ sessionId } = snapshot);
      projection = new TedLines(historyOf(await wholeConversation(session)));
      await write([{ type: "session_metadata", data: metadataOf(snapshot, options) }]);
    },
    record: async (event) => await write(projection.take(event)),
    ended: async (end) => await write(projection.end(end)),
    ask: async () => await Promise.resolve(null),
  });
}

function metadataOf({ workspace, config }: SessionSnapshot, { isResumed, trusts }: TedOptions): JsonObject {
  return {
    resumed: isResumed,
    working_directory: workspace.cwd,
    project_root: workspace.roots[0] ?? workspace.cwd,
    provider: config.model.provider,
    model: config.model.id,
    caps: [],
    trust_mode: trusts,
    max_response_tokens: config.model.maxOutputTokens,
  };
}

/** These lines repeat all of it, in one. */
async function wholeConversation(session: SessionClient): Promise<readonly Message[]> {
  const pages: (readonly Message[])[] = [];
  let from: number | null = null;
  do {
    const page: ConversationPage = await session.conversation(from, messagesPerPage);
    pages.push(page.messages);
    ({ from } = page);
  } while (from > 0);
  return pages.toReversed().flat();
}

/** What was said in a session that is continued, in texts. */
function historyOf(conversation: readonly Message[]): readonly JsonObject[] {
  return conversation.flatMap(({ role, content }) => {
    const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    return texts.length === 0 ? [] : [{ role, content: texts.join("\n") }];
  });
}
