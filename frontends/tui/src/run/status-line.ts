import { basename } from "node:path";
import { inertLine } from "@capstan/view";
import type { SaidBeside } from "../chat/status-row.ts";
import { statusInput } from "../status/status-input.ts";
import { StatusProgram } from "../status/status-program.ts";
import { type Chat, cwdOf } from "./chat.ts";
import type { Timers } from "./timers.ts";
import type { TuiOptions } from "./tui-options.ts";

const folderCharacters = 80;

/** What the status line says beside what happens: the items that are set, or what a program of the user's makes of the session. */
export class StatusLine {
  readonly #options: Pick<TuiOptions, "statusItems" | "version">;
  readonly #timers: Timers;
  readonly #program: StatusProgram | null;

  constructor(options: Pick<TuiOptions, "statusItems" | "askStatus" | "version">, timers: Timers, changed: () => void) {
    this.#options = options;
    this.#timers = timers;
    this.#program = options.askStatus === null ? null : new StatusProgram(options.askStatus, changed);
  }

  said(chat: Chat): SaidBeside {
    // The last name of a folder says enough.
    const folder = inertLine(basename(cwdOf(chat)), folderCharacters);
    return { items: this.#options.statusItems, folder, line: this.#program?.line ?? null };
  }

  /** The program is asked, where something has changed. */
  ask(chat: Chat, now: number): void {
    const { session } = chat;
    const again = this.#program?.update(
      () =>
        statusInput(session.transcript, session.status(now), {
          sessionId: session.client.id,
          cwd: cwdOf(chat),
          version: this.#options.version,
        }),
      now,
    );
    if (again !== undefined && again !== null && !this.#timers.isSet("status"))
      this.#timers.after("status", again, () => this.ask(chat, Date.now()));
  }
}
