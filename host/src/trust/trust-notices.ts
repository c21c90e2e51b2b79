import { quotePath } from "../config/quote.ts";
import type { FileDifference } from "./file-difference.ts";
import type { TrustPlace } from "./find-trust-places.ts";
import { maxNamedFiles } from "./limits.ts";
import type { RefusedFile } from "./read-trust-files.ts";
import type { TrustNotice } from "./workspace-trust.ts";

/** A line for each thing that is not loaded for lack of trust, and what to do about it. */
export function ignoredPlaces(folder: string, places: readonly TrustPlace[]): readonly TrustNotice[] {
  if (places.length === 0) return [];
  const why = `${quotePath(folder)} is not trusted`;
  const lines = places.slice(0, maxNamedFiles).map((place) =>
    warning(
      "trust.ignored",
      place.class === "instructions"
        ? `${placeText(place)} does not count as instructions, only as a note: ${why}`
        : `${placeText(place)} is ignored: ${why}`,
    ),
  );
  const left = places.length - lines.length;
  return [
    ...lines,
    ...(left > 0 ? [warning("trust.ignored", `${left} more are ignored: ${why}`)] : []),
    {
      level: "info",
      code: "trust.hint",
      text: "`capstan trust add` trusts this folder as it is now; --trust does for one run.",
    },
  ];
}

export function changedSince(folder: string, changed: readonly FileDifference[]): readonly TrustNotice[] {
  if (changed.length === 0) return [];
  const lines = changed
    .slice(0, maxNamedFiles)
    .map((difference) => warning("trust.changed", `${differenceText(difference)} since ${quotePath(folder)} was trusted`));
  const left = changed.length - lines.length;
  return left > 0 ? [...lines, warning("trust.changed", `${left} more files changed`)] : lines;
}

export function replaced(folder: string): TrustNotice {
  return warning("trust.changed", `${quotePath(folder)} is not the folder that was trusted: another one is there now`);
}

export function byFlag(folder: string, places: readonly TrustPlace[]): TrustNotice {
  const named = places.slice(0, maxNamedFiles).map(placeText).join(", ");
  const left = places.length - maxNamedFiles;
  const what = places.length === 0 ? "nothing" : left > 0 ? `${named} and ${left} more` : named;
  return warning(
    "trust.flag",
    `WARNING: --trust: what ${quotePath(folder)} brings along counts for this run, whoever wrote it: ${what}.`,
  );
}

/** Configuration has its own warnings, of whoever reads it. */
export function refusedFiles(refused: readonly RefusedFile[]): readonly TrustNotice[] {
  const others = refused.filter((file) => file.class !== "configuration");
  return others
    .slice(0, maxNamedFiles)
    .map(({ name, reason }) => warning("trust.refused", `${quotePath(name)} is ignored: ${reason}`));
}

export function storeRefused(reason: string): TrustNotice {
  return warning("trust.store", `what is trusted cannot be told: ${reason}`);
}

export function notRemembered(reason: string): TrustNotice {
  return warning("trust.store", `trusted for this run only: ${reason}`);
}

/** A place with its size, for people. */
export function placeText({ name, type, sizeBytes }: TrustPlace): string {
  const size = type === "file" ? `${sizeBytes} bytes` : type === "folder" ? "a folder" : "no plain file";
  return `${quotePath(name)} (${size})`;
}

/** What became of a file, in words. */
export function differenceText({ name, change, diff }: FileDifference): string {
  const lines = diff === undefined ? "" : ` (${counted(diff.added)} added, ${counted(diff.removed)} removed)`;
  return change === "added" ? `${quotePath(name)} came${lines}` : `${quotePath(name)} changed${lines}`;
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

function warning(code: TrustNotice["code"], text: string): TrustNotice {
  return { level: "warning", code, text };
}
