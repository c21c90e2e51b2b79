/** Bounds of tool arguments beyond their size in bytes, which the engine checks. */
export const argumentLimits = {
  /** Nesting of objects and arrays. JSON.parse takes 200,000; recursion over it does not. */
  maxDepth: 64,
  /** Object keys and array items together. */
  maxKeys: 10_000,
  /** Problems reported at once: more than a model fixes in one go. */
  maxProblems: 5,
  /** Characters of a wrong value quoted back. */
  quotedCharacters: 60,
  /** Field names longer than this are not compared for likeness (the comparison is quadratic). */
  comparedNameCharacters: 40,
} as const;
