import { quotePath } from "@capstan/settings";
import type { FileDifference } from "./file-difference.ts";
import type { TrustPlace } from "./find-trust-places.ts";
import { maxNamedFiles } from "./limits.ts";
import type { RefusedFile } from "./read-trust-files.ts";
import type { TrustNotice } from "./workspace-trust.ts";

/** A line for each thing that is not loaded for lack of trust, and what to do about it. */
export function ignoredPlaces(folder: string, places: readonly TrustPlace[]): readonly TrustNotice[] {
  if (places.length === 0) return [];
  const why = `${quotePath(folder)} is not trusted`;
  const lines = places.slice(0, maxNamedFiles).map((place) => ignoredPlace(place, why));
  const left = places.length - lines.length;
  const more = { code: "trust.ignored", text: `${left} more are ignored: ${why}` } as const;
  const text = "`capstan trust add` trusts this folder as it is now; --trust does for one run.";
  return [...lines, ...(left > 0 ? [warning(more)] : []), { level: "info", code: "trust.hint", text }];
}

function ignoredPlace(place: TrustPlace, why: string): TrustNotice {
  if (place.class !== "instructions") {
    return warning({ code: "trust.ignored", text: `${placeText(place)} is ignored: ${why}` });
  }
  const text = `${placeText(place)} does not count as instructions, only as a note: ${why}`;
  return warning({ code: "trust.note", text });
}

export function changedSince(folder: string, changed: readonly FileDifference[]): readonly TrustNotice[] {
  const lines = changed.slice(0, maxNamedFiles).map((difference) => {
    const since = difference.change === "unseen" ? "when" : "since";
    const text = `${differenceText(difference)} ${since} ${quotePath(folder)} was trusted`;
    return warning({ code: "trust.changed", text });
  });
  const left = changed.length - lines.length;
  return left > 0 ? [...lines, warning({ code: "trust.changed", text: `${left} more files changed` })] : lines;
}

export function replaced(folder: string): TrustNotice {
  const text = `${quotePath(folder)} is not the folder that was trusted: another one is there now`;
  return warning({ code: "trust.changed", text });
}

export function byFlag(folder: string, places: readonly TrustPlace[]): TrustNotice {
  const named = places.slice(0, maxNamedFiles).map(placeText).join(", ");
  const left = places.length - maxNamedFiles;
  const what = places.length === 0 ? "nothing" : left > 0 ? `${named} and ${left} more` : named;
  const text = `WARNING: --trust: what ${quotePath(folder)} brings along counts for this run, whoever wrote it: ${what}.`;
  return warning({ code: "trust.flag", text });
}

/** Configuration has its own warnings, of whoever reads it. */
export function refusedFiles(refused: readonly RefusedFile[]): readonly TrustNotice[] {
  const others = refused.filter((file) => file.class !== "configuration").slice(0, maxNamedFiles);
  return others.map(({ name, reason }) =>
    warning({ code: "trust.refused", text: `${quotePath(name)} is ignored: ${reason}` }),
  );
}

export function storeRefused(reason: string): TrustNotice {
  return warning({ code: "trust.store", text: `what is trusted cannot be determined: ${reason}` });
}

export function notRemembered(reason: string): TrustNotice {
  return warning({ code: "trust.store", text: `trusted for this run only: ${reason}` });
}

/** A place with its size, for people. */
export function placeText({ name, type, sizeBytes }: TrustPlace): string {
  const size = type === "file" ? `${sizeBytes} bytes` : type === "folder" ? "a folder" : "no plain file";
  return `${quotePath(name)} (${size})`;
}

/** What became of a file, in words. */
export function differenceText({ name, change, diff }: FileDifference): string {
  const lines = diff === undefined ? "" : ` (${counted(diff.added)} added, ${counted(diff.removed)} removed)`;
  switch (change) {
    case "added":
      return `${quotePath(name)} came${lines}`;
    case "changed":
      return `${quotePath(name)} changed${lines}`;
    case "unseen":
      return `${quotePath(name)} was not looked at`;
  }
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

function warning(notice: Pick<TrustNotice, "code" | "text">): TrustNotice {
  return { level: "warning", ...notice };
}
