import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { asking, type InboxPlace, useInbox } from "../../inbox/use-inbox.ts";
import type { Stage } from "../../stage/place.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "../../stage/terminal.ts";

export interface OpenedTui {
  readonly terminal: TerminalRun;
  readonly stage: Stage;
}

/** What each of the seeds' demands is shown on: the terminal UI of the bundled binary, on a pseudo-terminal. */
export function useSeedStage(): SeedStage {
  return new SeedStage(useInbox());
}

export class SeedStage {
  readonly inbox: InboxPlace;

  constructor(inbox: InboxPlace) {
    this.inbox = inbox;
  }

  /** The user's configuration. */
  configure(toml: string): void {
    const { data } = this.inbox.place;
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, "config.toml"), toml, { mode: 0o600 });
  }

  async open(
    turns: readonly object[],
    args: readonly string[] = [],
    options: Partial<TerminalOptions> = {},
  ): Promise<OpenedTui> {
    const stage = await this.inbox.rehearse(turns);
    return { stage, terminal: await this.again(stage, ["-m", "anthropic/rehearsal", ...args], options) };
  }

  /** Another process on the same stage. */
  async again(stage: Stage, args: readonly string[], options: Partial<TerminalOptions> = {}): Promise<TerminalRun> {
    const terminal = startOnTerminal(this.inbox.place, ["tui", ...asking, ...args], {
      rows: 40,
      ...options,
      env: { ...stage.env, ...options.env },
    });
    await terminal.screenShows(/^[›>] /m);
    return terminal;
  }
}

/** Types, and waits until it is seen. */
export async function typed(terminal: TerminalRun, keys: string, then: RegExp): Promise<void> {
  terminal.type(keys);
  await terminal.screenShows(then);
}

export async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

export function writing(path: string, content = "hello\n"): object {
  return { name: "write_file", arguments: { path, content } };
}
