/** How a process ends without being asked. */
export const endings = ["SIGKILL", "an unhandled rejection", "no more memory"] as const;
export type Ending = (typeof endings)[number];

const deaths: Readonly<Record<Ending, string>> = {
  SIGKILL: `process.kill(process.pid, "SIGKILL")`,
  "an unhandled rejection": `Promise.reject(new Error("a bug of the test"))`,
  "no more memory": `for (const hoard = []; ; ) hoard.push(new Array(100_000).fill(hoard.length + 0.5))`,
};

/** Enough for Capstan, and soon used up. */
const heapMb = 160;

/**
 * Environment under which a Capstan ends itself in this way, once: in the moment in which a line with `mark` has been
 * handed to standard output, before anything follows from it. `exit of a command`: when a command has ended, before anybody
 * in the process knows.
 */
export function fatalEnvironment(mark: string, ending: Ending): Readonly<Record<string, string>> {
  const atLine = `
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (chunk, ...rest) => {
      const result = write(chunk, ...rest);
      if (String(chunk).includes(${JSON.stringify(mark)})) die();
      return result;
    };`;
  const atExit = `
    const spawn = childProcess.spawn;
    childProcess.spawn = (program, args, options) => {
      const child = spawn(program, args, options);
      if (JSON.stringify(args).includes("effects.log")) child.prependListener("exit", die);
      return child;
    };
    syncBuiltinESMExports();`;
  const code = `
    import childProcess from "node:child_process";
    import { syncBuiltinESMExports } from "node:module";
    let isDying = false;
    const die = () => {
      if (isDying) return;
      isDying = true;
      ${deaths[ending]};
    };
    ${mark === commandExit ? atExit : atLine}`;
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  return { NODE_OPTIONS: `--max-old-space-size=${heapMb} --import ${preload}` };
}

/** @see fatalEnvironment */
export const commandExit = "exit of a command";
