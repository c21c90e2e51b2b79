import { relative } from "node:path";
import { type FileProblems, problemLine, type ProblemList, problemsHere } from "@capstan/host";
import { inertText } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";

interface ProblemFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan problems [FILES]`. Exit code 0: no errors, 1: there are some, or a server failed. */
export async function printProblems(names: readonly string[], flags: ProblemFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  const { cwd } = settings.workspace;
  const list = await problemsHere(settings, names);
  for (const { name, reason } of list.failures) complain(`the language server ${name} failed: ${reason}`);
  for (const path of list.unseen) complain(`no language server said anything about ${relative(cwd, path)}`);
  if (flags.json === true) for (const line of list.files.flatMap((file) => jsonLines(cwd, file))) print(line);
  else for (const line of textLines(cwd, list)) print(line);
  return list.failures.length > 0 || errorsIn(list) > 0 ? 1 : 0;
}

function textLines(cwd: string, list: ProblemList): readonly string[] {
  const lines = list.files.flatMap(({ path, problems }) => problems.map((problem) => problemLine(cwd, path, problem)));
  const files = list.files.length === 1 ? "1 file" : `${list.files.length} files`;
  const errors = errorsIn(list);
  const more = lines.length - errors;
  const sum = [errors === 1 ? "1 error" : `${errors} errors`, ...(more > 0 ? [`${more} less grave`] : [])].join(", ");
  return [...lines, `${sum} in ${files}`];
}

function jsonLines(cwd: string, { path, server, problems }: FileProblems): readonly string[] {
  return problems.map((problem) => JSON.stringify({ file: relative(cwd, path), server, ...problem }));
}

function errorsIn({ files }: ProblemList): number {
  return files.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error").length;
}

function complain(text: string): void {
  process.stderr.write(`capstan: ${inertText(text)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
