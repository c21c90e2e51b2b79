import { prepareDataDirectory } from "@capstan/settings";
import { openStore } from "../open-parts.ts";
import { environmentRedactor } from "../session/environment-redactor.ts";
import { systemChance, systemClock } from "../system/system-ports.ts";
import { Inbox } from "./inbox.ts";

export interface InboxOptions {
  /** CAPSTAN_HOME. */
  readonly home: string;
  /** Values of variables that look like secrets are not shown. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with mistakes that did not stop the work. */
  readonly report: (error: unknown) => void;
}

/** Opens the inbox: no configuration, model or tool is needed to answer. @throws AppError `storage.*` */
export async function openInbox({ home, env, report }: InboxOptions): Promise<Inbox> {
  return new Inbox({
    store: await openStore(await prepareDataDirectory(home)),
    clock: systemClock,
    chance: systemChance,
    redact: environmentRedactor(env),
    report,
  });
}
