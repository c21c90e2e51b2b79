/** What leaves files out of what git shows whose content nobody is shown, by the patterns that protect them. */
export function protectedPathspecs(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    if (pattern.startsWith("/") || pattern.startsWith("!")) return [];
    const below = pattern.includes("/") ? pattern : `**/${pattern}`;
    return [`:(top,exclude,glob,icase)${below}`];
  });
}
