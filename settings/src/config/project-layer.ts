import { type ConfigDraft, checkedValue } from "./config-draft.ts";
import { placeOf } from "./config-origin.ts";
import { maxWarningsPerFile } from "./config-limits.ts";
import { findProjectFiles } from "./files/project-files.ts";
import { readProjectFile } from "./files/read-config-file.ts";
import { type ConfigDocument, readDocument } from "./files/read-document.ts";
import { entryLines } from "./entry-lines.ts";
import { pathText } from "./keys/config-path.ts";
import { narrow } from "./narrow.ts";
import { quoteName, quotePath } from "./quote.ts";
import { readSettings, type Setting } from "./read-settings.ts";

/** Whether the user trusts a file with this content. `sha256`: of its bytes, in hex. */
export type ProjectConsent = (file: string, sha256: string) => boolean;

/**
 * Adds what the project around a directory restricts, the outermost file first. Everything else it says is ignored with
 * a warning; a value that would restrict but does not fit stops the start, so that no restriction gets lost unseen.
 * Variables are never put in: a project could send them anywhere.
 * @throws AppError `config.unreadable`, `config.syntax`
 */
export async function addProjectFiles(
  draft: ConfigDraft,
  cwd: string,
  home: string,
  consent: ProjectConsent,
): Promise<void> {
  const { root, files } = findProjectFiles(cwd, home);
  for (const file of files) {
    const read = readProjectFile(file, root);
    if (read.type === "refused") draft.warnings.push(`${quotePath(file)} is ignored: ${read.reason}`);
    if (read.type !== "text") continue;
    // What is used is what was consented to, not what lay there when somebody looked.
    if (!consent(file, read.sha256)) {
      draft.warnings.push(`${quotePath(file)} is ignored: it is not as it was when it was trusted`);
      continue;
    }
    draft.files.push(file);
    // In order, because a limit may only be lowered from where the file before left it.
    const document = await readDocument(file, read.text);
    addFewWarnings(draft, file, addDocument(draft, document));
  }
}

/** Adds one file. Returns the warnings. */
function addDocument(draft: ConfigDraft, document: ConfigDocument): readonly string[] {
  const { presets, ...values } = document.values;
  const { settings, misplaced } = readSettings(values, (segments) => {
    const line = document.lines.lineOf(segments);
    return { layer: "project", file: document.file, ...(line === undefined ? {} : { line }) };
  });
  const warnings = misplaced.map((text) => `${text} (ignored)`);
  if (presets !== undefined) warnings.push(`${quotePath(document.file)}: presets is ignored: ${onlyNarrow}`);
  for (const setting of settings) warnings.push(...addSetting(draft, setting, document));
  return warnings;
}

const onlyNarrow = "a project file may only narrow (ask and deny rules, lower limits, more excluded paths)";

function addSetting(draft: ConfigDraft, setting: Setting, document: ConfigDocument): readonly string[] {
  const { segments, key, origin } = setting;
  const name = `${placeOf(origin)}: ${quoteName(pathText(segments))}`;
  if (key.projectMayNarrow !== true) return [`${name} is ignored: ${onlyNarrow}`];
  const value = checkedValue(draft, setting, document.lines);
  if (value === undefined) return [];
  const narrowed = narrow(key, value, draft.stack.current(segments, key));
  if (narrowed.type === "ignored") return [`${name} is ignored: ${narrowed.reason}`];
  const lines = entryLines(setting, value, document.lines, narrowed.value);
  draft.stack.add(segments, key, { value: narrowed.value, origin, ...lines });
  return narrowed.ignored === undefined ? [] : [`${name}: ignored ${narrowed.ignored}`];
}

function addFewWarnings(draft: ConfigDraft, file: string, warnings: readonly string[]): void {
  draft.warnings.push(...warnings.slice(0, maxWarningsPerFile));
  const left = warnings.length - maxWarningsPerFile;
  if (left > 0) draft.warnings.push(`${quotePath(file)}: ${left} more warnings`);
}
