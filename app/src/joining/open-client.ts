import { createHost, type Host } from "@capstan/host";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { version } from "../version.ts";

/** The client API for as long as the work takes, with the sessions that other processes have open. */
export async function withClient<Result>(
  flags: SettingsFlags,
  work: (client: Host["client"]) => Promise<Result>,
): Promise<Result> {
  const settings = await settingsFromFlags(flags);
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
    return await work(host.client);
  } finally {
    await host.close();
  }
}
