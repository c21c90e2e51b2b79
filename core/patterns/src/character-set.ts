/** Characters in brackets, with ranges and POSIX classes of ASCII, as Git and shells read them. */
export interface CharacterSet {
  readonly negated: boolean;
  /** Whether the unit is listed, the negation aside. */
  readonly lists: (unit: string) => boolean;
  /** The place behind the closing bracket. */
  readonly end: number;
}

/**
 * Reads a set; a "]" in the first place is meant as such.
 * @param units  characters, or bytes written as such
 * @param start  the place of the opening bracket
 * @returns `undefined` when it has no end, or names a class that nobody knows
 */
export function parseCharacterSet(units: readonly string[], start: number): CharacterSet | undefined {
  const negated = units[start + 1] === "!" || units[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const members: UnitSet[] = [];
  for (let at = first; at < units.length;) {
    if (units[at] === "]" && at > first) {
      return { negated, lists: (unit) => members.some((holds) => holds(unit)), end: at + 1 };
    }
    const member = parseMember(units, at);
    if (member === undefined) return undefined;
    members.push(member.holds);
    at = member.end;
  }
  return undefined;
}

type UnitSet = (unit: string) => boolean;

interface Member {
  readonly holds: UnitSet;
  readonly end: number;
}

/** @returns `undefined` for what Git takes for broken, such as a class it does not know */
function parseMember(units: readonly string[], at: number): Member | undefined {
  const isClass = units[at] === "[" && units[at + 1] === ":";
  const close = isClass ? units.indexOf("]", at + 2) : -1;
  if (close <= at + 2 || units[close - 1] !== ":") return parseRange(units, at);
  const members = classes.get(units.slice(at + 2, close - 1).join(""));
  return members === undefined ? undefined : { holds: (unit) => members.test(unit), end: close + 1 };
}

function parseRange(units: readonly string[], at: number): Member | undefined {
  const from = readUnit(units, at);
  if (from === undefined) return undefined;
  if (units[from.end] !== "-" || units[from.end + 1] === "]" || from.end + 1 >= units.length) {
    return { holds: (unit) => unit === from.unit, end: from.end };
  }
  const to = readUnit(units, from.end + 1);
  if (to === undefined) return undefined;
  const [least, most] = [numberOf(from.unit), numberOf(to.unit)];
  // The beginning is in it even where the end comes before it.
  return {
    holds: (unit) => unit === from.unit || (numberOf(unit) >= least && numberOf(unit) <= most),
    end: to.end,
  };
}

function readUnit(units: readonly string[], at: number): { readonly unit: string; readonly end: number } | undefined {
  const place = units[at] === "\\" ? at + 1 : at;
  const unit = units[place];
  return unit === undefined ? undefined : { unit, end: place + 1 };
}

function numberOf(unit: string): number {
  return unit.codePointAt(0) ?? 0;
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /^[a-z0-9]$/i],
  ["alpha", /^[a-z]$/i],
  ["blank", /^[ \t]$/],
  // oxlint-disable-next-line no-control-regex -- that is what the class means
  ["cntrl", /^[\0-\x1f\x7f]$/],
  ["digit", /^\d$/],
  ["graph", /^[!-~]$/],
  ["lower", /^[a-z]$/],
  ["print", /^[ -~]$/],
  ["punct", /^[!-/:-@[-`{-~]$/],
  ["space", /^[ \t-\r]$/],
  ["upper", /^[A-Z]$/],
  ["xdigit", /^[0-9a-f]$/i],
]);
