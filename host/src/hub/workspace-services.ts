import type { ModelProvider, ProgramTool, SessionStore, ToolSource } from "@capstan/ports";
import type { AskPolicy, NoticeRecord, OnUnknown, SessionConfig, SessionId, Workspace } from "@capstan/protocol";
import {
  catalogFor,
  chooseFallbacks,
  chooseModel,
  type ExternalProviders,
  makeProvider,
  requireKey,
  resolveProvider,
} from "@capstan/catalog";
import { createProvider } from "@capstan/providers";
import { type ActionPorts, type HealthPolicy, type ModelPorts, ProviderHealth } from "@capstan/runtime";
import type { FindFiles } from "@capstan/hub";
import {
  type CapstanConfig,
  type DataDirectory,
  protectedPatterns,
  sessionConfig,
  type SessionSettings,
  sessionSettings,
} from "@capstan/settings";
import { openFileFinder } from "@capstan/tools";
import { ownInstructionsNotice } from "../context/own-instructions-notice.ts";
import { workspaceContext } from "../context/workspace-context.ts";
import type { Settings } from "../load-settings.ts";
import { openCheckpoints, openTools, redactorOf, toolsLoader, withGrants, withSpill } from "../open-parts.ts";
import { openMcp } from "../open-mcp.ts";
import { isolationFor, openSandbox } from "../open-sandbox.ts";
import { composePrompt } from "../prompt/compose-prompt.ts";
import { sha256, systemClock } from "../system/system-ports.ts";

const msPerSecond = 1000;

/** How sessions run, whatever their workspace is. */
export interface RunOptions {
  /** Capstan's own. */
  readonly version: string;
  readonly askPolicy: AskPolicy;
  /** How long a question waits; `null`: as long as it takes. */
  readonly interactionExpiryMs: number | null;
  readonly onUnknown: OnUnknown;
  /** Providers beside the built-in and configured ones. */
  readonly providers?: ExternalProviders;
  /** Tools beside the built-in ones: the program's own, or a source of them. */
  readonly tools?: readonly ProgramTool[] | ToolSource;
}

/** What the sessions of one workspace run on. */
export interface WorkspaceServices {
  readonly workspace: Workspace;
  readonly settings: SessionSettings;
  readonly action: ActionPorts;
  readonly findFiles: FindFiles;
  /** A session is this process's no more, and nothing of it runs. */
  ended(id: SessionId): void;
  /** For the first session that is opened to work in. */
  readonly notices: readonly Omit<NoticeRecord, "type">[];
  close(): Promise<void>;
}

/**
 * Opens what the sessions of a workspace run on. A model is chosen when a session begins: one that is resumed has its own.
 * @throws AppError `config.*`, `storage.*`
 */
export async function openServices(
  settings: Settings,
  { store, data }: { readonly store: SessionStore; readonly data: DataDirectory },
  options: RunOptions,
): Promise<WorkspaceServices> {
  const { loaded, policy, workspace, env, trust } = settings;
  const known = { catalog: await catalogFor(loaded.values, settings.home), external: options.providers ?? {} };
  const providers = new ProviderShelf(settings, known.external);
  const sandbox = openSandbox(settings, data);
  const loadToolsSoon = toolsLoader();
  const [isolation, systemPrompt, grants] = await Promise.all([
    isolationFor(settings, sandbox),
    composePrompt(loaded.values),
    store.grants.list(),
  ]);
  const mcp = await openMcp(settings, data, { sandbox, isolation, version: options.version });
  const added = options.tools ?? [];
  const tools = openTools(settings, data, { redact: redactorOf(settings), sandbox, added, servers: mcp.source });
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
    });
  return {
    workspace,
    settings: sessionSettings({
      loaded,
      withModel,
      choose: () => ({
        model: chooseModel(loaded.values, env, known).model,
        fallbacks: chooseFallbacks(loaded.values, env, known),
      }),
      named: (name) => chooseModel({ ...loaded.values, app: { ...loaded.values.app, model: name } }, env, known).model,
      requireProvider: ({ provider }) => providers.require(provider),
    }),
    action: {
      tools,
      digest: sha256,
      checkpoints: openCheckpoints(data),
      model: {
        context: contextOf(settings, data),
        provider: ({ provider }) => {
          loadToolsSoon();
          return providers.get(provider);
        },
        health: new ProviderHealth(systemClock, healthPolicy(loaded.values)),
        callLimitMs: loaded.values.network.answer_timeout_seconds * msPerSecond,
      },
    },
    ended: (id) => void sandbox.endSession(id),
    findFiles: openFileFinder({
      deniedPatterns: protectedPatterns(loaded.values),
      spillDirectory: data.spill,
      searchPath: env["PATH"] ?? "",
      elapsed: () => systemClock.elapsed(),
    }),
    notices: [...trust.notices, ...ownInstructionsNotice(data.root), ...mcp.notices, ...tools.notices()],
    async close() {
      await providers.close();
      await tools.close();
    },
  };
}

function contextOf({ loaded, trust, workspace }: Settings, { root: home }: DataDirectory): ModelPorts["context"] {
  const { instruction_files: instructionFiles, max_instruction_bytes: maxInstructionBytes } = loaded.values.context;
  const sources = { instructionFiles, maxInstructionBytes, home, trust };
  return workspaceContext({ ...sources, now: () => systemClock.now() }, workspace);
}

/** When a provider is left alone, and how long a limit of its vendor is waited for. */
function healthPolicy({ retry }: CapstanConfig): HealthPolicy {
  return {
    breakerFailures: retry.breaker_failures,
    breakerMs: retry.breaker_seconds * msPerSecond,
    maxLimitWaitMs: retry.max_retry_after_seconds * msPerSecond,
  };
}

/** Providers are made when first asked and kept, so that connections stay open. */
class ProviderShelf {
  readonly #settings: Settings;
  readonly #external: ExternalProviders;
  readonly #made = new Map<string, Promise<ModelProvider>>();

  constructor(settings: Settings, external: ExternalProviders) {
    this.#settings = settings;
    this.#external = external;
  }

  /**
   * Its code loads while the session opens.
   * @throws AppError `model.unknown`, `provider.auth` when it cannot be asked
   */
  require(name: string): void {
    const { loaded, env } = this.#settings;
    if (!Object.hasOwn(this.#external, name)) requireKey(resolveProvider(name, loaded.values, env));
    this.get(name).catch(() => undefined);
  }

  get(name: string): Promise<ModelProvider> {
    const made = this.#made.get(name) ?? this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  async #make(name: string): Promise<ModelProvider> {
    const { loaded, env } = this.#settings;
    const outside = Object.hasOwn(this.#external, name) ? this.#external[name] : undefined;
    return (
      outside?.create() ?? makeProvider(resolveProvider(name, loaded.values, env), this.#settings, { createProvider })
    );
  }

  async close(): Promise<void> {
    const made = await Promise.allSettled(this.#made.values());
    for (const provider of made) {
      if (provider.status === "fulfilled") provider.value.close();
    }
  }
}
