import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { AppError } from "@capstan/protocol";
import { isNewer } from "../installation/update-notice.ts";
import { readKey } from "../asking/read-key.ts";
import { version } from "../version.ts";
import { visibleText } from "../visible-text.ts";
import { type Installer, installerOf } from "./installer.ts";
import { newestVersion } from "./newest-version.ts";

export interface UpdateFlags {
  readonly check?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * `capstan update`: whether there is a newer release, and the command of what installed this one, which is run after a yes. Capstan
 * replaces no file itself.
 */
export async function update(flags: UpdateFlags): Promise<number> {
  const latest = await newestVersion(process.env);
  const isOut = isNewer(latest, version);
  const installer = installerOf(realpathSync.native(process.argv[1] ?? ""), latest);
  const command = installer.command?.join(" ") ?? null;
  if (flags.json === true) {
    const { name, folder } = installer;
    print(JSON.stringify({ version, latest, newer: isOut, installer: name, command, folder: folder ?? null }));
    return 0;
  }
  if (!isOut) {
    print(`capstan ${version} is the newest release.`);
    return 0;
  }
  print(`capstan ${latest} is out (this is ${version}).`);
  print(visibleText(adviceText(installer)));
  if (flags.check === true || installer.command === null) return 0;
  return flags.yes === true || (await saysYes()) ? await run(installer) : 0;
}

function adviceText({ command, folder, advice }: Installer): string {
  if (command === null) return advice ?? "";
  return `${folder === undefined ? "" : `In ${folder}: `}${command.join(" ")}`;
}

/** Where nobody sits, the command is printed and not run. */
async function saysYes(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  paintQuestion();
  const key = await readKey(process.stdin, new AbortController().signal, paintQuestion);
  print(key === "y" || key === "Y" ? "y" : "n");
  return key === "y" || key === "Y";
}

function paintQuestion(): void {
  process.stdout.write("Run it now? y/N ");
}

async function run({ command, folder }: Installer): Promise<number> {
  const [file = "", ...args] = command ?? [];
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: "inherit", ...(folder === undefined ? {} : { cwd: folder }) });
    child.once("error", (error) =>
      reject(
        new AppError("usage.invalid", `${file} could not be started: ${error.message}`, {
          cause: error,
          hint: `Run it yourself: ${[file, ...args].join(" ")}`,
        }),
      ),
    );
    child.once("exit", (code) => resolve(code === 0 ? 0 : 1));
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
