import { createHash } from "node:crypto";
import type { Caller, ChildSession, ChildSessions } from "@capstan/agents";
import { configNow, type SessionState } from "@capstan/session";
import { type EngineClient, type OpenOptions, type Origin, toSessionId, type Workspace } from "@capstan/protocol";
import type { SessionSettings } from "@capstan/settings";

/** What agents' sessions are opened through; it is there once the host is. */
export interface AgentEngine {
  readonly client: EngineClient;
  stateOf(id: ChildSession["id"]): SessionState | undefined;
  readonly follow: ChildSessions["follow"];
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
      return state === undefined ? undefined : callerOf(state, workspace);
    },
    isOpen(sessionId, callId) {
      const operation = engine().stateOf(sessionId)?.operation;
      if (operation?.type !== "tool-loop") return false;
      return operation.batch.calls.some(({ type, call }) => call.callId === callId && type === "running");
    },
    idOf: (sessionId, callId) =>
      toSessionId(createHash("sha256").update(`${sessionId} ${callId}`).digest("hex").slice(0, idDigits)),
    resume: async (id) => await engine().client.open({ type: "resume", id }, drive({ frontend: "agents" })),
    isNew: (id) => (engine().stateOf(id)?.turnIds.length ?? 0) <= 1,
    list: async () => await engine().client.sessions.list(),
    events: async (id) => await engine().client.sessions.read(id, 0),
    follow: (id, listener) => engine().follow(id, listener),
    async open({ id, title, spawnedBy, config, origin, workspace: own = workspace }) {
      const { client } = engine();
      const options = drive(origin);
      const known = await client.sessions.resolve(id).catch(() => null);
      return known === null
        ? await client.open({ type: "new", id, title, child: { spawnedBy, workspace: own, config } }, options)
        : await client.open({ type: "resume", id }, options);
    },
    modelNamed: (name) => settings().modelNamed(name),
    toolNamed,
  };
}

function drive(origin: Origin): OpenOptions {
  return { identity: { ...origin, role: "drive" }, purpose: "drive" };
}

function callerOf(state: SessionState, workspace: Workspace): Caller | undefined {
  const { operation } = state;
  const config = configNow(state);
  if (config === null || operation.type !== "tool-loop") return undefined;
  const { turn, batch } = operation;
  const { maxCostUsd, maxTokensPerTurn } = config.limits;
  const times = turn.extensions + 1;
  return {
    config,
    workspace,
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
