import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { randomUUID } from "node:crypto";

/** Commands are handed this variable on; whatever a run started can be found by its value. */
export const markVariable = "XDG_CAPSTAN_TORTURE";

/** An empty home and a workspace, for one run. */
export class Place {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "capstan-torture-")));
  /** In the environment of everything that is started here. */
  readonly mark: string = randomUUID();

  constructor() {
    for (const needed of [this.workspace, this.home]) mkdirSync(needed);
  }

  get workspace(): string {
    return join(this.folder, "work");
  }

  get home(): string {
    return join(this.folder, "home");
  }

  /** CAPSTAN_HOME; made by the first run. */
  get data(): string {
    return join(this.folder, "data");
  }

  write(path: string, content: string): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** "" for a file that is not there. */
  read(path: string): string {
    const file = join(this.workspace, path);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Every file of the workspace, relative to it. */
  files(): readonly string[] {
    return readdirSync(this.workspace, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.workspace, join(entry.parentPath, entry.name)));
  }

  environment(more: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.home,
      CAPSTAN_HOME: this.data,
      [markVariable]: this.mark,
      ...more,
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
