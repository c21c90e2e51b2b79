/**
 * Characters that are not what they seem, or are not seen: controls, directions, zero widths, soft hyphens, tags, variation
 * selectors, fillers, interlinear marks, private use, halves of pairs, what no standard knows, and every blank but the plain one.
 */
export const hiddenCharacters: RegExp =
  /(?![ \t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A character by its number: `⟨U+202E⟩`. */
export function showCodePoint(character: string, count = 1): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return count === 1 ? `⟨U+${number}⟩` : `⟨U+${number} ×${count}⟩`;
}
