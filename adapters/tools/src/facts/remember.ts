import type { Facts, ToolContext } from "@capstan/ports";
import { type Action, type JsonObject, type KnownFact, ToolRefusal } from "@capstan/protocol";
import type { MemoryOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";
import { maxWordsLength } from "./limits.ts";

/** `remember`: stores a fact for later sessions. Each call stores one at most, also when it is carried out again after a crash. */
export function createRememberTool({ facts, isTrusted }: MemoryOptions): ToolCode {
  return {
    prepare: async (args, context) => {
      const { text, scope, entities } = wordsOf(args);
      if (text === "") throw new ToolRefusal("rejected", "tool.bad-arguments", "Not remembered: it has no words.");
      if (context.sessionId === null)
        throw new ToolRefusal("rejected", "tool.not-offered", "remember means something only inside a session.");
      if (scope === "user" && !isTrusted) throw new ToolRefusal("rejected", "tool.bad-arguments", untrusted);
      return await Promise.resolve({
        tool: "remember",
        arguments: { content: text, scope, entities: [...entities] },
        effect: "write",
        risk: "low",
        paths: [],
        summary: inertText(`Remember ${placeOf[scope]}: ${text}`, maxWordsLength),
      });
    },
    stage: async ({ arguments: args }) => {
      const { text, scope } = wordsOf(args);
      const proposal = `It would be remembered ${placeOf[scope]}: ${text}`;
      return await Promise.resolve({ settle: { files: [] }, changes: [], proposal, data: null });
    },
    run: async (action, _staged, context) => ({
      status: "ok",
      content: stored(await remember(facts, action, context)),
    }),
    probe: async (action, _settle, context) => {
      const { sessionId, callId } = context;
      const isDone = sessionId !== null && (await facts.isRemembered(sessionId, callId));
      if (!isDone) return { type: "untouched", text: "It was not remembered yet." };
      const outcome = { type: "done", content: stored(wordsOf(action.arguments)) } as const;
      return { type: "ended", outcome, changes: [], observed: [] };
    },
  };
}

async function remember(
  facts: Facts,
  { arguments: args }: Action,
  { workspace, sessionId, callId }: ToolContext & { readonly callId: string },
): Promise<Pick<KnownFact, "scope">> {
  return await facts.remember({ ...wordsOf(args), cwd: workspace.cwd, by: "model", sessionId, key: callId });
}

interface Words {
  readonly text: string;
  readonly scope: KnownFact["scope"];
  readonly entities: readonly string[];
}

function wordsOf({ content, scope, entities }: JsonObject): Words {
  return {
    text: typeof content === "string" ? content.trim() : "",
    scope: scope === "user" || scope === "session" ? scope : "workspace",
    entities: Array.isArray(entities) ? entities.filter((name) => typeof name === "string") : [],
  };
}

const placeOf = {
  session: "in this session",
  workspace: "for work in this folder",
  user: "for all work of the user",
} as const;

const untrusted =
  "Not remembered: the user does not trust this folder, and nothing of it is remembered for their work elsewhere. Use the scope workspace.";

function stored({ scope }: Pick<KnownFact, "scope">): string {
  return `Remembered ${placeOf[scope]}.`;
}
