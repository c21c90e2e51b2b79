import { createInterface } from "node:readline";
import type { LineTerminal } from "@capstan/tui";

/** The terminal that this process was started at, which edits its lines itself. */
export function openLineTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): LineTerminal {
  const lines = createInterface({ input, terminal: false });
  return {
    write(text) {
      if (output.writable) output.write(text);
    },
    listen({ line, interrupted, closed }) {
      lines.on("line", line);
      lines.once("close", closed);
      output.once("error", closed);
      process.on("SIGINT", interrupted);
      return () => {
        process.off("SIGINT", interrupted);
        output.off("error", closed);
        lines.off("close", closed);
        lines.close();
      };
    },
    async lend(work) {
      lines.pause();
      try {
        return await work();
      } finally {
        lines.resume();
      }
    },
  };
}
