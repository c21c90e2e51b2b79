import { createHost, type Host, type Settings } from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

/** The client API for as long as the work takes, with the sessions that other processes have open. */
export async function withClient<Result>(
  flags: SettingsFlags,
  work: (client: Host["client"], settings: Settings) => Promise<Result>,
): Promise<Result> {
  return await withHost(await settingsFromFlags(flags), flags, work);
}

/** The same, to look at what is stored or change it: where the configuration cannot be read, it is done without one. */
export async function withStoredSessions<Result>(
  work: (client: Host["client"], settings: Settings) => Promise<Result>,
): Promise<Result> {
  const settings = await settingsFromFlags({}).catch((error: unknown) => {
    if (error instanceof AppError && error.code.startsWith("config.")) return settingsFromFlags({ safeMode: true });
    throw error;
  });
  return await withHost(settings, {}, work);
}

async function withHost<Result>(
  settings: Settings,
  flags: SettingsFlags,
  work: (client: Host["client"], settings: Settings) => Promise<Result>,
): Promise<Result> {
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
  try {
    return await work(host.client, settings);
  } finally {
    await host.close();
  }
}
