/** A model's id without its version, and the version: numbers, the weightiest first. */
export interface ModelFamily {
  readonly name: string;
  readonly version: readonly number[];
}

/** Said of a release, and of no family. */
const stages: ReadonlySet<string> = new Set(["preview", "latest"]);

/** `claude-sonnet-4-5` is `claude-sonnet` in version 4.5. `undefined`: a dated release, which stands for itself. */
export function familyOf(id: string): ModelFamily | undefined {
  const parts = id.split("-");
  if (parts.some((part) => /^\d{4,}$/.test(part))) return undefined;
  const version = parts.filter(isVersion).flatMap((part) => part.split(".").map(Number));
  return { name: parts.filter((part) => !isVersion(part) && !stages.has(part)).join("-"), version };
}

function isVersion(part: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3})*$/.test(part);
}

/** Of two models of a family. A finished release comes before a preview of the same version. */
export function isNewer(id: string, other: string): boolean {
  const [version, than] = [familyOf(id)?.version ?? [], familyOf(other)?.version ?? []];
  for (let at = 0; at < Math.max(version.length, than.length); at += 1) {
    const difference = (version[at] ?? 0) - (than[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return id.length < other.length;
}
