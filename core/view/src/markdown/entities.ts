/** Character references that models write; any other stays as it stands. */
const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  times: "×",
};

/** `&lt;` as `<`. What comes out is not inert: a number may name any character. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, ...found: (string | undefined)[]) => {
      const [decimal, hexadecimal, name = ""] = found;
      if (decimal !== undefined) return characterOf(Number(decimal));
      if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16));
      return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    },
  );
}

function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10_ff_ff && !(codePoint >= 0xd8_00 && codePoint <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(codePoint) : "\ufffd";
}
