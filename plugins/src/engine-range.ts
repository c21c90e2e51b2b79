type Version = readonly [major: number, minor: number, patch: number];

const comparator = /^(>=|<=|>|<|=|\^|~)?v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?(?:[-+].*)?$/i;

/**
 * Whether a version is in a range as npm writes them: `>=0.1 <1`, `^1.2`, `~1.2.3`, `1.x`, `0.1 || 0.2`, `*`.
 * @throws Error for what is no range
 */
export function fitsRange(version: string, range: string): boolean {
  const actual = versionOf(version);
  return range
    .split("||")
    .map((part) => part.trim().replaceAll(/(>=|<=|>|<|=|\^|~)\s+/g, "$1"))
    .some((part) =>
      part
        .split(/\s+/)
        .filter((text) => text !== "")
        .every((text) => fits(actual, text)),
    );
}

function versionOf(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = (text.split(/[-+]/)[0] ?? "").split(".").map(Number);
  return [major, minor, patch];
}

function fits(actual: Version, text: string): boolean {
  const read = comparator.exec(text);
  if (read === null) throw new Error(`"${text}" is no range of versions, such as ">=0.1 <1" or "^1.2"`);
  const [, operator = "", ...written] = read;
  const given = written
    .slice(0, 3)
    .flatMap((part) => (part === undefined || /^[x*]$/i.test(part) ? [] : [Number(part)]));
  const [major = 0, minor = 0, patch = 0] = given;
  const least: Version = [major, minor, patch];
  const notBelow = compare(actual, least) >= 0;
  switch (operator) {
    case ">=":
      return notBelow;
    case "<":
      return !notBelow;
    case ">":
      return compare(actual, next(least, given.length)) >= 0;
    case "<=":
      return compare(actual, next(least, given.length)) < 0;
    case "^":
      return notBelow && compare(actual, next(least, Math.min(given.length, firstOfWeight(given)))) < 0;
    case "~":
      return notBelow && compare(actual, next(least, Math.min(given.length, 2))) < 0;
    default:
      return notBelow && compare(actual, next(least, given.length)) < 0;
  }
}

/** How many numbers must stay the same: up to the first that is not 0. */
function firstOfWeight(given: readonly number[]): number {
  const at = given.findIndex((part) => part > 0);
  return at === -1 ? given.length : at + 1;
}

/** The first version in which one of the first `count` numbers is greater; with none given there is no such version. */
function next([major, minor, patch]: Version, count: number): Version {
  if (count === 0) return [Number.POSITIVE_INFINITY, 0, 0];
  if (count === 1) return [major + 1, 0, 0];
  return count === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compare(one: Version, other: Version): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
