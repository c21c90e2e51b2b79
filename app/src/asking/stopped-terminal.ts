import type { Interface } from "node:readline";

/** Ctrl-Z at a question: the shell has the terminal back until `fg`. Raw mode sends no signal of its own. */
export function stopProcess(): void {
  process.kill(process.pid, "SIGTSTP");
}

/** Readline takes nothing more after Ctrl-Z and `fg` until it is asked to: it shows its prompt again, with what was typed. */
export function continuesAfterStop(lines: Pick<Interface, "on" | "prompt">): void {
  lines.on("SIGCONT", () => {
    lines.prompt(true);
  });
}
