import { spawn } from "node:child_process";
import { join } from "node:path";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";

/** What an appending process is asked to do. */
export interface Appending {
  readonly path: string;
  readonly session: string;
  readonly writer: string;
  readonly count: number;
  /** 0: never. */
  readonly flushEvery: number;
  /** Program and arguments to run it under, such as strace. */
  readonly under?: readonly string[];
  /** Kill it as soon as it has acknowledged so many. */
  readonly killAfter?: number;
}

/** Runs `appending-process.ts`. @returns its whole lines */
export async function appendInProcess(asked: Appending): Promise<readonly string[]> {
  const script = await bundledProgram(join(import.meta.dirname, "appending-process.ts"));
  const { path, session, writer, count, flushEvery, killAfter } = asked;
  const node = [process.execPath, script];
  const [program, ...args] = [...(asked.under ?? []), ...node, path, session, writer, `${count}`, `${flushEvery}`];
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const output = { text: "", errors: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.errors += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.text += text;
    if (killAfter !== undefined && linesOf(output.text).length >= killAfter) child.kill("SIGKILL");
  });
  const code = await new Promise<number | null>((done) => child.on("close", done));
  if (code !== 0 && killAfter === undefined) throw new Error(`the appending process failed: ${output.errors}`);
  return linesOf(output.text);
}

/** Without the last one, which the kill may have cut. */
function linesOf(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}
