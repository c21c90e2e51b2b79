import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readTetherPolicy } from "@capstan/importers";
import { onTestFinished } from "vitest";
import type { DialectConfig } from "../../src/config/keys/capstan-config.ts";
import { loadConfig, type LoadConfigOptions, type LoadedConfig } from "../../src/config/load-config.ts";
import { loadSettings, type Settings, type SettingsOptions } from "../../src/load-settings.ts";

/** A data directory and a repository in a new directory, with what a test writes into them. */
export interface ConfigPlace {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  readonly userFile: string;
  readonly projectFile: string;
  write(file: string, text: string, mode?: number): void;
  load(options?: Partial<LoadConfigOptions>): Promise<LoadedConfig>;
  /** Code and message of the error, with the directory's name taken out. */
  failure(options?: Partial<LoadConfigOptions>): Promise<{ readonly code: unknown; readonly message: string }>;
  /** Text without the directory's name. */
  plain(text: string): string;
}

/** The dialect of a provider about which nothing was said. */
export const noDialect: DialectConfig = {
  system_role: null,
  max_tokens_field: null,
  stream_usage: null,
  strict_tools: null,
  tool_choice: null,
  parallel_tool_calls: null,
  call_ids: null,
  echo_reasoning: null,
  echo_reasoning_field: null,
  echo_reasoning_details: null,
  think_tags: null,
  text_tool_calls: null,
};

export function configPlace(files: { readonly user?: string; readonly project?: string } = {}): ConfigPlace {
  const root = mkdtempSync(join(tmpdir(), "capstan-config-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const repository = join(root, "repository");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(repository, ".git"), { recursive: true });
  const place: ConfigPlace = {
    root,
    home,
    repository,
    userFile: join(home, "config.toml"),
    projectFile: join(repository, ".capstan", "config.toml"),
    write: (file, text, mode = 0o600) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
    },
    load: (options = {}) =>
      loadConfig({
        home,
        cwd: repository,
        env: {},
        sets: [],
        flags: [],
        safeMode: false,
        project: () => true,
        ...options,
      }),
    failure: async (options) => {
      try {
        await place.load(options);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        return { code, message: place.plain(error instanceof Error ? error.message : String(error)) };
      }
      throw new Error("the configuration was accepted");
    },
    plain: (text) => text.replaceAll(root, ""),
  };
  if (files.user !== undefined) place.write(place.userFile, files.user);
  if (files.project !== undefined) place.write(place.projectFile, files.project);
  return place;
}

/** The settings of a place where no project is trusted. */
export function plainSettings({ home, repository }: ConfigPlace, options: Partial<SettingsOptions>): Promise<Settings> {
  return loadSettings(
    {
      env: { CAPSTAN_HOME: home },
      cwd: repository,
      sets: [],
      flags: [],
      safeMode: false,
      addDirectories: [],
      yolo: false,
      ...options,
    },
    { consent: async () => undefined, readYamlPolicy: readTetherPolicy },
  );
}
