import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { tui } from "../limits.ts";
import { median } from "../median.ts";
import { lastSection } from "../scenarios.ts";
import { atTui, keyDelays, type TuiBench, withModel } from "./measure-tui.ts";
import { installPeer, peerCommand } from "./peer.ts";
import { TerminalProcess } from "./terminal-process.ts";

/** What one of the two took. */
export interface Side {
  /** From the question to the last word on the screen. */
  readonly cpuMs: number;
  readonly bytes: number;
  /** Delays from a key to what it shows, below that answer. */
  readonly keysMs: readonly number[];
}

/** The same long answer in the same run, in turns, here and by another agent. */
export async function measurePeer(bench: TuiBench): Promise<{ readonly ours: Side; readonly peer: Side }> {
  const program = installPeer();
  const ours: Side[] = [];
  const peers: Side[] = [];
  for (let round = 0; round < tui.rounds; round += 1) {
    ours.push(await withModel("markdownAnswer", (url) => atTui(bench, { url }, (terminal) => side(terminal, "› "))));
    peers.push(
      await withModel("markdownAnswer", async (url) => {
        const home = join(bench.place.dataFolder, "peer");
        const terminal = new TerminalProcess(peerCommand(program, { url, cwd: bench.place.workspace, home }));
        try {
          return await side(terminal, "❯");
        } finally {
          await terminal.end();
        }
      }),
    );
  }
  return { ours: middle(ours), peer: middle(peers) };
}

/** @param prompt  what stands on the screen when it takes words */
async function side(terminal: TerminalProcess, prompt: string): Promise<Side> {
  await terminal.shows(prompt);
  await terminal.isQuiet(tui.quietMs);
  const before = terminal.cpuMs;
  terminal.take();
  // Return behind words that come in one piece is part of a paste for some.
  terminal.type("answer");
  await terminal.shows("answer");
  await pause(tui.quietMs);
  terminal.type("\r");
  await terminal.shows(lastSection);
  await terminal.isQuiet(tui.quietMs);
  const { bytes } = terminal.take();
  const cpuMs = terminal.cpuMs - before;
  return { cpuMs, bytes, keysMs: await keyDelays(terminal, (typed) => typed.slice(-1)) };
}

function middle(sides: readonly Side[]): Side {
  return {
    cpuMs: median(sides.map(({ cpuMs }) => cpuMs)),
    bytes: median(sides.map(({ bytes }) => bytes)),
    keysMs: sides.flatMap(({ keysMs }) => keysMs),
  };
}
