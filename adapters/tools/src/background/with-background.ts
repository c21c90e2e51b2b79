import type { ContextSource } from "@capstan/ports";
import type { BackgroundCommands } from "./background-commands.ts";

/** What a source says of a workspace, and what the session has in the background. */
export function withBackground(source: ContextSource, commands: BackgroundCommands): ContextSource {
  return {
    async collect(workspace, signal, turn) {
      const parts = await source.collect(workspace, signal, turn);
      if (turn.sessionId === null) return parts;
      // A folder that cannot be read keeps no turn from its work.
      const own = await commands.context(turn.sessionId).catch(() => []);
      return [...parts, ...own];
    },
  };
}
