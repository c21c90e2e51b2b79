import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "@capstan/protocol";

type Edited = { readonly text: string } | { readonly problem: string };

/**
 * Lets the user change a text in their own editor (`VISUAL`, else `EDITOR`), in a file that only they can read.
 * @param ending  of the file's name, for what the editor should take it for
 */
export async function editInEditor(text: string, ending: string, env: NodeJS.ProcessEnv): Promise<Edited> {
  const editor = [env["VISUAL"], env["EDITOR"]].find((name) => name !== undefined && name.trim() !== "");
  if (editor === undefined) return { problem: "No editor is set: put its name into EDITOR." };
  const folder = await mkdtemp(join(tmpdir(), "capstan-edit-"));
  const file = join(folder, `call.${ending}`);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const problem = await runEditor(editor, file);
    return problem === undefined ? { text: await readFile(file, "utf8") } : { problem };
  } catch (error) {
    return { problem: `The editor's file could not be read: ${messageOf(error)}.` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An editor may be named with arguments, which the shell reads as it does for other programs. */
function runEditor(editor: string, file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    child.once("error", (error) => resolve(`${editor} could not be started: ${error.message}.`));
    child.once("exit", (code, signal) => {
      const end = code === null ? `was ended by ${signal ?? "a signal"}` : `ended with ${code}`;
      resolve(code === 0 ? undefined : `${editor} ${end}.`);
    });
  });
}
