import { type IPty, spawn } from "@lydell/node-pty";
// A CommonJS module: its names are on its default export.
import headless from "@xterm/headless";

/** What is typed when the screen shows `after`. */
export interface TypedKeys {
  readonly after: string;
  readonly keys: string;
}

export interface TerminalPlay {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  /** In this order, each once. */
  readonly typed: readonly TypedKeys[];
  /** When it aborts, the command is killed. */
  readonly killed?: AbortSignal;
}

export interface PlayedScreen {
  /** What stands on the screen at the end, with what scrolled away; a line that the terminal broke is whole. */
  readonly screen: string;
  /** 0: none ended it. */
  readonly signal: number;
}

const rows = 40;
const scrollback = 2_000;
const limitMs = 2 * 60_000;

/** Runs a command line on a pseudo-terminal of its own, as a user does who waits for what is asked before they answer. */
export async function playOnTerminal(command: string, play: TerminalPlay): Promise<PlayedScreen> {
  const { cwd, env, columns } = play;
  const emulator = new headless.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
  const pty = spawn("bash", ["-c", command], { name: "xterm-256color", cols: columns, rows, cwd, env: { ...env } });
  const kill = (): void => pty.kill("SIGKILL");
  const timer = setTimeout(kill, limitMs);
  play.killed?.addEventListener("abort", kill, { once: true });
  try {
    const missing = typeKeys(pty, emulator, play.typed);
    const signal = await new Promise<number>((resolve) => {
      pty.onExit((end) => resolve(end.signal ?? 0));
    });
    const screen = await screenOf(emulator);
    const [never] = missing();
    if (never !== undefined) throw new Error(`"${command}" never showed "${never.after}": ${screen}`);
    return { screen, signal };
  } finally {
    clearTimeout(timer);
    play.killed?.removeEventListener("abort", kill);
    emulator.dispose();
  }
}

type Emulator = InstanceType<typeof headless.Terminal>;

/** @returns what was not typed yet */
function typeKeys(pty: IPty, emulator: Emulator, typed: readonly TypedKeys[]): () => readonly TypedKeys[] {
  let unread = "";
  let left = typed;
  pty.onData((piece) => {
    emulator.write(piece);
    unread += piece;
    const [next, ...others] = left;
    const at = next === undefined ? -1 : unread.indexOf(next.after);
    if (next === undefined || at === -1) return;
    unread = unread.slice(at + next.after.length);
    left = others;
    pty.write(next.keys);
  });
  return () => left;
}

async function screenOf(emulator: Emulator): Promise<string> {
  await new Promise<void>((resolve) => {
    emulator.write("", resolve);
  });
  const { active } = emulator.buffer;
  let screen = "";
  for (let at = 0; at < active.length; at += 1) {
    const line = active.getLine(at);
    if (line === undefined) continue;
    screen += `${at === 0 || line.isWrapped ? "" : "\n"}${line.translateToString(!(active.getLine(at + 1)?.isWrapped ?? false))}`;
  }
  return screen.trimEnd();
}
