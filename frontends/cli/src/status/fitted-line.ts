import { shortText, textWidth } from "@capstan/view";

export interface LineParts {
  readonly what: string;
  readonly time: string;
  /** The last are left out first. */
  readonly rest: readonly string[];
  readonly separator: string;
}

/** Cells that `what` keeps, where it has so many, before anything of the rest is shown. */
const minWhatColumns = 24;

/** One line, no wider than `columns`: the time is shown whole, `what` as far as there is room. */
export function fittedLine({ what, time, rest, separator }: LineParts, columns: number): string {
  const wanted = Math.min(textWidth(what), minWhatColumns);
  for (let kept = rest.length; kept >= 0; kept -= 1) {
    const end = [time, ...rest.slice(0, kept)].map((part) => `${separator}${part}`).join("");
    const room = columns - textWidth(end);
    if (room < wanted && kept > 0) continue;
    return room < 1 ? shortText(time, columns) : `${shortText(what, room)}${end}`;
  }
  return "";
}
