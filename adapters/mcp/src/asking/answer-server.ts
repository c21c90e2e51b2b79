import { pathToFileURL } from "node:url";
import { basename } from "node:path";
import { inertLine } from "@capstan/patterns";
import type { Workspace } from "@capstan/protocol";
import type { Client, ClientCapabilities } from "@modelcontextprotocol/client";
import { maxSummaryLength } from "../limits.ts";
import type { RunningCalls } from "../link/running-calls.ts";
import type { McpServer } from "../mcp-server.ts";
import { elicit } from "./elicit.ts";
import { sample, type Sampler } from "./sample.ts";

/** What a server may ask of Capstan. */
export interface ServerRequests {
  readonly running: RunningCalls;
  readonly workspace: Workspace;
  /** Absent: no model is asked on behalf of a server. */
  readonly sampler?: Sampler;
}

/** What is declared to a server: its user is asked in the middle of calls; folders are named to programs of this machine only. */
export function capabilitiesFor({ place, sampling }: McpServer, { sampler }: ServerRequests): ClientCapabilities {
  return {
    elicitation: { form: {}, url: {} },
    ...(place.type === "program" ? { roots: {} } : {}),
    ...(sampling && sampler !== undefined ? { sampling: {} } : {}),
  };
}

/** Answers what a server asks for. */
export function answerServer(client: Client, server: McpServer, requests: ServerRequests): void {
  const { running, workspace, sampler } = requests;
  client.setRequestHandler(
    "elicitation/create",
    async ({ params }) => await elicit(server.name, running.only(), params),
  );
  if (server.place.type === "program")
    client.setRequestHandler("roots/list", () => ({
      roots: workspace.roots.map((root) => ({ uri: pathToFileURL(root).href, name: basename(root) })),
    }));
  if (server.sampling && sampler !== undefined)
    client.setRequestHandler(
      "sampling/createMessage",
      async ({ params }) => await sample(server.name, running.only(), params, sampler),
    );
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    running.say(`[${level}] ${inertLine(text, maxSummaryLength)}`);
  });
}
