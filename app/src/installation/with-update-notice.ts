import { dataDirectory } from "@capstan/host";
import { version } from "../version.ts";

/** Runs the work; where a newer version is known, one line says so when it is done. Neither waits for the registry, nor fails with it. */
export async function withUpdateNotice(work: () => Promise<number>): Promise<number> {
  if (!wantsUpdateNotice(process.env, process.stderr.isTTY, import.meta.url)) return await work();
  const { updateNotice } = await import("./update-notice.ts");
  const notice = updateNotice({ home: dataDirectory(process.env), version, now: Date.now() });
  const exitCode = await work();
  if (notice !== undefined) process.stderr.write(`${notice}\n`);
  return exitCode;
}

/**
 * Whether to speak of newer versions at all: only of an installed package, to somebody who reads along, and not where they said no.
 * @param program  where the running code lies
 */
export function wantsUpdateNotice(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  program: string,
): boolean {
  const off = [env["CI"], env["NO_UPDATE_NOTIFIER"]].some(
    (value) => value !== undefined && value !== "" && value !== "0",
  );
  return isTerminal && !off && program.includes("/node_modules/capstan/");
}
