import { withAgents } from "@capstan/agents";
import type { Compactors, SessionStore, ToolNotice } from "@capstan/ports";
import type {
  AskPolicy,
  FileProblem,
  NoticeRecord,
  OnUnknown,
  SessionConfig,
  SessionId,
  ToolDefinition,
  Workspace,
} from "@capstan/protocol";
import { catalogFor, chooseFallbacks, chooseModel, type ExternalProviders } from "@capstan/catalog";
import { type SessionFacts, withFacts } from "@capstan/facts";
import { type ActionPorts, type HealthPolicy, type ModelPorts, ProviderHealth } from "@capstan/runtime";
import type { FindFiles } from "@capstan/hub";
import { withServers } from "@capstan/mcp-servers";
import {
  type CapstanConfig,
  type DataDirectory,
  protectedPatterns,
  sessionConfig,
  type SessionSettings,
  sessionSettings,
} from "@capstan/settings";
import { openFileFinder, withBackground } from "@capstan/tools";
import { ownInstructionsNotice, withPacks, workspaceContext } from "@capstan/workspace-context";
import type { OpenedPlugins } from "@capstan/plugins";
import type { Settings } from "../load-settings.ts";
import { openCheckpoints, withGrants, withSpill } from "../open-parts.ts";
import { requestUnderWayMs } from "../limits.ts";
import { factsWhereOn } from "../open-facts.ts";
import { composePrompt } from "../prompt/compose-prompt.ts";
import type { AgentEngine } from "../session/agent-sessions.ts";
import { sha256, systemClock } from "../system/system-ports.ts";
import { outsideCompactors, requireCompactor } from "./outside-compactors.ts";
import { packsOf } from "./packs-of.ts";
import { placeOf } from "./place-of.ts";
import { ProviderShelf } from "./provider-shelf.ts";
import { endSession, type Offered, type OfferedOptions, openOffered } from "./open-offered.ts";

const msPerSecond = 1000;

/** How sessions run, whatever their workspace is. */
export interface RunOptions extends OfferedOptions {
  readonly askPolicy: AskPolicy;
  /** How long a question waits; `null`: as long as it takes. */
  readonly interactionExpiryMs: number | null;
  readonly onUnknown: OnUnknown;
  /** Providers beside the built-in and configured ones. */
  readonly providers?: ExternalProviders;
  /** What makes room in conversations beside what Capstan has for it. */
  readonly compactors?: Compactors;
}

/** What the sessions of one workspace run on. */
export interface WorkspaceServices {
  readonly workspace: Workspace;
  readonly settings: SessionSettings;
  readonly action: ActionPorts;
  readonly findFiles: FindFiles;
  /** What language servers say of the files that a session changed; `null`: none was asked. */
  problems(id: SessionId): Promise<readonly FileProblem[] | null>;
  /** The tools there are now, whenever they change. @returns ends the subscription */
  onTools(listener: (tools: readonly ToolDefinition[], news: readonly ToolNotice[]) => void): () => void;
  /** What became of what the session had in the background, when it is opened to work in. */
  noticesOf(id: SessionId): Promise<readonly NoticeRecord[]>;
  /** A session is this process's no more, and nothing of it runs. */
  ended(id: SessionId): void;
  /** What became of the plugins of its folders; `null`: there are none. */
  readonly plugins: OpenedPlugins | null;
  /** For the first session that is opened to work in. */
  readonly notices: readonly Omit<NoticeRecord, "type">[];
  close(): Promise<void>;
}

/** What the workspaces of one host share. */
interface ServiceParts {
  readonly store: SessionStore;
  readonly data: DataDirectory;
  readonly facts: SessionFacts;
  /** There once the host is open. */
  readonly agentEngine: () => AgentEngine;
}

/**
 * Opens what the sessions of a workspace run on. A model is chosen when a session begins: one that is resumed has its own.
 * @throws AppError `config.*`, `storage.*`
 */
export async function openServices(
  settings: Settings,
  { store, data, facts: allFacts, agentEngine }: ServiceParts,
  options: RunOptions,
): Promise<WorkspaceServices> {
  const { loaded, policy, workspace, trust } = settings;
  const known = { catalog: await catalogFor(loaded.values, settings.home), external: options.providers ?? {} };
  const providers = new ProviderShelf(settings, { ...known.external, ...outsideCompactors(settings, options) });
  const prepareTools = once(() => later(() => opened.tools.prepare()));
  const provider: ModelPorts["provider"] = (model) => providers.get(model.provider);
  const agents = { engine: agentEngine, settings: () => ofSessions };
  const [opened, systemPrompt, grants] = await Promise.all([
    openOffered(settings, { data, facts: factsWhereOn(allFacts, settings), agents, provider }, options),
    composePrompt(loaded.values),
    store.grants.list(),
  ]);
  const { tools, isolation, background } = opened;
  requireCompactor(loaded.values.context.compactor, options);
  const withModel = (choice: Pick<SessionConfig, "model" | "fallbacks">): SessionConfig =>
    sessionConfig(loaded.values, {
      ...choice,
      policy: withGrants(withSpill(policy, data), grants, workspace),
      systemPrompt,
      tools: tools.definitions(),
      askPolicy: options.askPolicy,
      interactionExpiryMs: options.interactionExpiryMs,
      isolation,
      onUnknown: options.onUnknown,
      hooks: opened.hooks?.entries ?? [],
      place: placeOf(settings),
    });
  const ofSessions: SessionSettings = sessionSettings({
    loaded,
    withModel,
    choose: () => chosenModels(settings, known),
    named: modelNamer(settings, known),
    requireProvider: (model) => providers.require(model.provider),
    personas: (names = loaded.values.app.personas) => opened.personas(names),
  });
  return {
    workspace,
    settings: ofSessions,
    action: {
      tools,
      digest: sha256,
      checkpoints: openCheckpoints(data),
      ...(opened.hooks === null ? {} : { hooks: opened.hooks.runner }),
      model: {
        context: contextOf(settings, data, opened),
        provider: (model) => {
          // What tools need loads while the model works, and the first call does not wait for it.
          prepareTools();
          return provider(model);
        },
        health: new ProviderHealth(systemClock, healthPolicy(loaded.values)),
        callLimitMs: loaded.values.network.answer_timeout_seconds * msPerSecond,
      },
    },
    problems: (id) => opened.problems(id),
    onTools: (listener) => tools.subscribe((news) => listener(tools.definitions(), news)),
    noticesOf: async (id) => await background.notices(id),
    ended: (id) => void endSession(id, opened),
    plugins: opened.plugins,
    findFiles: fileFinderOf(settings, data),
    notices: [...trust.notices, ...ownInstructionsNotice(data.root), ...opened.notices, ...tools.notices()],
    async close() {
      await providers.close();
      await opened.close();
    },
  };
}

function chosenModels(
  { loaded, env }: Settings,
  known: Parameters<typeof chooseModel>[2],
): Pick<SessionConfig, "model" | "fallbacks"> {
  const { model } = chooseModel(loaded.values, env, known);
  return { model, fallbacks: chooseFallbacks(loaded.values, env, known) };
}

/** A model by its name, with the effort that is given or configured. */
function modelNamer(
  { loaded, env }: Settings,
  known: Parameters<typeof chooseModel>[2],
): Parameters<typeof sessionSettings>[0]["named"] {
  return (name, effort = loaded.values.app.effort ?? undefined) => {
    const app = { ...loaded.values.app, model: name, effort: effort ?? null };
    return chooseModel({ ...loaded.values, app }, env, known).model;
  };
}

function fileFinderOf({ env, loaded }: Settings, data: DataDirectory): FindFiles {
  return openFileFinder({
    deniedPatterns: protectedPatterns(loaded.values),
    spillDirectory: data.spill,
    searchPath: env["PATH"] ?? "",
    elapsed: () => systemClock.elapsed(),
  });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** Once the request that is made now is under way. */
function later(work: () => void): void {
  setTimeout(work, requestUnderWayMs).unref();
}

function contextOf(
  { loaded, trust, workspace }: Settings,
  { root: home }: DataDirectory,
  { facts, skills, reader, background, agents }: Offered,
): ModelPorts["context"] {
  const { context } = loaded.values;
  const { instruction_files: instructionFiles, max_instruction_bytes: maxInstructionBytes } = context;
  const sources = { instructionFiles, maxInstructionBytes, home, trust };
  const skillsPart = skills?.part;
  const shown = skillsPart === undefined ? {} : { known: [skillsPart] };
  const source = workspaceContext({ ...sources, ...shown, now: () => systemClock.now() }, workspace);
  const packed = withPacks(source, packsOf(loaded.values, home));
  const known = facts === null ? packed : withFacts(packed, { facts, limitBytes: context.max_fact_bytes, later });
  return withAgents(withBackground(withServers(known, reader, context.max_resource_bytes), background), agents);
}

/** When a provider is left alone, and how long a limit of its vendor is waited for. */
function healthPolicy({ retry }: CapstanConfig): HealthPolicy {
  return {
    breakerFailures: retry.breaker_failures,
    breakerMs: retry.breaker_seconds * msPerSecond,
    maxLimitWaitMs: retry.max_retry_after_seconds * msPerSecond,
  };
}
