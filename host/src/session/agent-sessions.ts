import { createHash } from "node:crypto";
import type { Caller, ChildSession, ChildSessions } from "@capstan/agents";
import { configNow, type SessionState } from "@capstan/session";
import { type EngineClient, toSessionId, type Workspace } from "@capstan/protocol";
import type { SessionSettings } from "@capstan/settings";

/** What agents' sessions are opened through; it is there once the host is. */
export interface AgentEngine {
  readonly client: EngineClient;
  stateOf(id: ChildSession["id"]): SessionState | undefined;
}

/** What the sessions of a workspace say to their agents. */
export interface AgentSurroundings {
  readonly engine: () => AgentEngine;
  readonly settings: () => SessionSettings;
  readonly workspace: Workspace;
  readonly toolNamed: ChildSessions["toolNamed"];
}

/** As many digits as the ids of other sessions have. */
const idDigits = 26;

/** The sessions of agents, in the workspace of those that call them. */
export function agentSessions({ engine, settings, workspace, toolNamed }: AgentSurroundings): ChildSessions {
  return {
    caller(id) {
      const state = engine().stateOf(id);
      return state === undefined ? undefined : callerOf(state);
    },
    isOpen(sessionId, callId) {
      const operation = engine().stateOf(sessionId)?.operation;
      if (operation?.type !== "tool-loop") return false;
      return operation.batch.calls.some(({ type, call }) => call.callId === callId && type === "running");
    },
    idOf: (sessionId, callId) =>
      toSessionId(createHash("sha256").update(`${sessionId} ${callId}`).digest("hex").slice(0, idDigits)),
    async open({ id, title, spawnedBy, config, origin }) {
      const { client } = engine();
      const options = { identity: { ...origin, role: "drive" }, purpose: "drive" } as const;
      const known = await client.sessions.resolve(id).catch(() => null);
      return known === null
        ? await client.open({ type: "new", id, title, child: { spawnedBy, workspace, config } }, options)
        : await client.open({ type: "resume", id }, options);
    },
    modelNamed: (name) => settings().modelNamed(name),
    toolNamed,
  };
}

function callerOf(state: SessionState): Caller | undefined {
  const { operation } = state;
  const config = configNow(state);
  if (config === null || operation.type !== "tool-loop") return undefined;
  const { turn, batch } = operation;
  const { maxCostUsd, maxTokensPerTurn } = config.limits;
  const times = turn.extensions + 1;
  return {
    config,
    origin: turn.origin,
    spent: { costUsd: turn.costUsd, tokens: turn.tokens },
    allowed: {
      costUsd: maxCostUsd === null ? null : maxCostUsd * times,
      tokens: maxTokensPerTurn === null ? null : maxTokensPerTurn * times,
    },
    openCalls: batch.calls.filter(
      (call) => call.type !== "settled" && "action" in call && call.action?.effect === "delegate",
    ).length,
  };
}
