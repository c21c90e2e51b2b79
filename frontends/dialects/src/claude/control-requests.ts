import { AppError, type JsonObject, type Receipt, type SessionSnapshot, toTurnId } from "@capstan/protocol";
import { type ClaudeSession, serverStatus } from "./claude-session.ts";
import { ourMode } from "./claude-words.ts";

/** What a control request came to: its response, or in words why it cannot be done. */
type Outcome = JsonObject | string;

/** Carries out a control request that concerns the session. @returns `undefined`: none of this name is spoken */
export async function carryOut(request: JsonObject, session: ClaudeSession): Promise<Outcome | undefined> {
  const { subtype } = request;
  const handler = typeof subtype === "string" && Object.hasOwn(handlers, subtype) ? handlers[subtype] : undefined;
  return await handler?.(request, session);
}

/** Whether a request of this name needs a session. */
export function concernsSession(subtype: string): boolean {
  return Object.hasOwn(handlers, subtype);
}

const handlers: Readonly<Record<string, (request: JsonObject, session: ClaudeSession) => Promise<Outcome>>> = {
  interrupt,
  set_permission_mode: setMode,
  set_model: setModel,
  set_max_thinking_tokens: async ({ max_thinking_tokens: tokens }) =>
    await Promise.resolve(
      tokens === undefined || tokens === null
        ? {}
        : "unsupported: max_thinking_tokens is set when a session begins, by --max-thinking-tokens or --effort",
    ),
  mcp_status: async (_request, session) => await Promise.resolve({ mcpServers: serversOf(session) }),
  get_context_usage: contextUsage,
  rewind_files: rewindFiles,
  rename_session: async ({ title }, session) =>
    typeof title === "string"
      ? settled(await session.conversation.submit({ type: "title", title }))
      : "rename_session: `title` must be a text",
  list_models: listModels,
  get_session_cost: async (_request, session) =>
    await Promise.resolve({ text: `Total cost: ${session.costUsd.toFixed(4)} USD` }),
  // What a server of the program's says unasked; its tools stay those it had when the session was opened.
  mcp_message: async () => await Promise.resolve({}),
};

function settled(receipt: Receipt, response: JsonObject = {}): Outcome {
  if (receipt.type === "accepted") return response;
  return receipt.hint === undefined ? receipt.reason : `${receipt.reason}. ${receipt.hint}`;
}

async function interrupt({ cancel_queued: all }: JsonObject, { conversation }: ClaudeSession): Promise<Outcome> {
  if (all === true) await conversation.withdrawQueued();
  await conversation.interrupt("interrupted");
  return { still_queued: [] };
}

async function setMode({ mode }: JsonObject, { conversation, parts }: ClaudeSession): Promise<Outcome> {
  if (typeof mode !== "string") return "set_permission_mode: `mode` must be a text";
  const wanted = ourMode(mode);
  if (wanted !== null) return settled(await conversation.submit({ type: "set", settings: { mode: wanted } }), { mode });
  if (mode === "bypassPermissions" && parts.prepared.bypasses)
    return settled(await conversation.submit({ type: "set", settings: { mode: "default" } }), { mode });
  if (mode === "bypassPermissions" || mode === "dontAsk")
    return `${mode} is refused: a session is begun with it or never has it, and only where the user's own configuration allows it ([permissions] allow_bypass)`;
  return `there is no mode ${JSON.stringify(mode)}: default, acceptEdits, plan, auto`;
}

async function setModel({ model }: JsonObject, { conversation, firstModel }: ClaudeSession): Promise<Outcome> {
  const isDefault = model === undefined || model === null || model === "default";
  const name = isDefault ? firstModel : model;
  if (typeof name !== "string") return "set_model: `model` must be a text";
  return settled(await conversation.submit({ type: "set", settings: { model: name } }));
}

function serversOf({ parts, config }: ClaudeSession): readonly JsonObject[] {
  return [
    ...parts.servers.map(({ name, status, error }) => ({ name, status, ...(error === undefined ? {} : { error }) })),
    ...parts.prepared.servers.map((name) => ({ name, status: serverStatus(name, config) })),
  ];
}

async function contextUsage(_request: JsonObject, { conversation }: ClaudeSession): Promise<Outcome> {
  const report = await conversation.session.context();
  if (report === null) return "the session has no settings yet";
  const { parts, usedTokens, windowTokens, model } = report;
  const used = parts.map(({ name, tokens }) => ({ name, tokens, color: "", kind: "used" }));
  const free = { id: "free_space", name: "free", tokens: Math.max(0, windowTokens - usedTokens), color: "" };
  return {
    categories: [...used, { ...free, kind: "free" }],
    totalTokens: usedTokens,
    maxTokens: windowTokens,
    rawMaxTokens: windowTokens,
    percentage: windowTokens === 0 ? 0 : Math.round((100 * usedTokens) / windowTokens),
    gridRows: [],
    model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    isAutoCompactEnabled: true,
    apiUsage: null,
  };
}

/** Files go back to what they were before a message; what was said stays. */
async function rewindFiles(request: JsonObject, { conversation, parts }: ClaudeSession): Promise<Outcome> {
  const { user_message_id: id, dry_run: isDry } = request;
  if (typeof id !== "string") return "rewind_files: `user_message_id` must be a text";
  const { session } = conversation;
  const keepTurns = turnsBefore(await session.snapshot(), id);
  if (keepTurns === undefined) return { canRewind: false, error: `no message ${id} left a trace in this session` };
  const preview = await session.previewRewind(keepTurns);
  const filesChanged = preview.files.map(({ path }) => path);
  if (isDry === true) return { canRewind: true, filesChanged };
  const back = { type: "back", keepTurns, conversation: false, files: true } as const;
  const { receipt } = await parts.engine.client.sessions.rewind(session.id, back, parts.options.identity);
  const refused = settled(receipt);
  return typeof refused === "string" ? { canRewind: false, error: refused } : { canRewind: true, filesChanged };
}

function turnsBefore({ turns }: SessionSnapshot, id: string): number | undefined {
  const at = turns.findIndex(({ turnId }) => turnId === toTurnId(id));
  return at === -1 ? undefined : at;
}

async function listModels(_request: JsonObject, { parts }: ClaudeSession): Promise<Outcome> {
  try {
    const models = await parts.engine.client.models();
    return { models: models.map(({ name }) => ({ value: name, displayName: name, description: "" })) };
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
