import type { Sandbox, ToolContext } from "@capstan/ports";
import { noSandbox } from "./session-config.ts";

/** What a tool sees of a session in which nothing has happened yet. */
export const quietContext: Pick<ToolContext, "sessionId" | "mode" | "sandbox" | "planSoFar" | "knownFile"> = {
  sessionId: null,
  mode: "default",
  sandbox: noSandbox,
  planSoFar: () => ({ written: null, said: null }),
  knownFile: () => undefined,
};

/** The sandbox of a machine that has none. */
export const absentSandbox: Sandbox = {
  test: async () => noSandbox.isolation,
  enter: async () => {
    throw new Error("nothing is confined where there is no sandbox");
  },
  endSession: async () => undefined,
};
