import { createHost, type HostOptions, type Settings } from "@capstan/host";
import { AppError, type CancelReason, type ClientIdentity, type EngineClient } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { localOrigin } from "../asking/local-origin.ts";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

/** How a dialect's sessions run. */
export interface DialectOptions extends Pick<HostOptions, "tools" | "hooks" | "beginsSession"> {
  readonly flags: SettingsFlags;
  readonly settings: Settings;
  /** Whether the program answers questions. */
  readonly asks: boolean;
}

/** The engine for a program that speaks a dialect. */
export async function openDialect({ flags, settings, asks, ...options }: DialectOptions): Promise<{
  readonly client: EngineClient;
  close(): Promise<void>;
}> {
  return await createHost(settings, {
    ...options,
    askPolicy: asks ? "ask" : "deny",
    interactionExpiryMs: null,
    // No dialect has words for a call in doubt: the model is shown what is known of it, and nothing is done again.
    onUnknown: "tell-model",
    version,
    isShared: true,
    loadSettings: async (cwd) => await settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
}

/**
 * The settings, with what the program's developer should know of them on stderr.
 * @throws AppError `usage.invalid` where the program wants to run everything unasked, and its user's configuration does not allow that
 */
export async function dialectSettings(flags: SettingsFlags, bypass?: string): Promise<Settings> {
  const settings = await settingsFromFlags(bypass === undefined ? flags : { ...flags, yolo: true });
  if (bypass !== undefined && !settings.loaded.values.permissions.allow_bypass)
    throw new AppError(
      "usage.invalid",
      `${bypass} would run every call unasked, and your own configuration does not allow that to programs`,
      { hint: "Allow calls by rules, or set `allow_bypass = true` under [permissions] in your own config.toml." },
    );
  for (const warning of settings.loaded.warnings) warn(warning);
  for (const { text } of settings.trust.notices) warn(text);
  if (bypass !== undefined) warn(`WARNING: ${bypass}: every tool call that no rule denies or asks for runs unasked.`);
  return settings;
}

/** What a program's developer reads beside its own log. */
export function warn(text: string): void {
  process.stderr.write(`capstan: ${inertText(text)}\n`);
}

/** The program, as the door knows it: it runs with the rights of whoever started it. */
export function dialectIdentity(dialect: string): ClientIdentity {
  const { user } = localOrigin();
  return { frontend: dialect, role: "operate", ...(user === undefined ? {} : { user }) };
}

/** Signals, once each; to be listened to from the start. */
export class StopRequests {
  #listener: ((reason: CancelReason) => void) | undefined;
  #reason: CancelReason | undefined;

  take(reason: CancelReason): void {
    this.#reason = reason;
    this.#listener?.(reason);
  }

  get reason(): CancelReason | undefined {
    return this.#reason;
  }

  listen(listener: (reason: CancelReason) => void): () => void {
    this.#listener = listener;
    if (this.#reason !== undefined) listener(this.#reason);
    return () => {
      this.#listener = undefined;
    };
  }
}
