/** Bounds of the LP1 code. A patch's bytes are bounded by the tool; these bound the work one byte can cause. */
export const patchLimits = {
  /** Operations of one patch. Each one walks the whole file; real patches have fewer than 100. */
  maxOperations: 2_000,
  /**
   * Lines of a file times operations on it, over the whole patch: about a second of work, during which nothing else happens.
   * Far beyond real use (2,000 operations on a file of 10,000 lines).
   */
  maxLineVisits: 20_000_000,
  /** Bytes of all files of one patch together, before or after: they are held in memory until the commit. */
  maxTotalBytes: 67_108_864,
  /** Bytes of the diff in the result. The model wrote the patch itself; this only shows where it landed. */
  maxShownDiffBytes: 4_096,
  /** Unchanged lines around a change in that diff. */
  shownContextLines: 1,
  /** File sections of one patch: each one opens a file. */
  maxSections: 400,
  /** Lines of a change that was not found, quoted in the refusal: enough to know which one is meant. */
  maxQuotedOldLines: 20,
} as const;

/** Bounds of the help that goes with a failed match. */
export const nearestLimits = {
  /** Lines of the file compared by likeness when no line of the find block occurs as it is. */
  maxComparedLines: 20_000,
  /** Characters of a line that count for likeness; more cost time and rarely change the answer. */
  comparedLineCharacters: 200,
  /** Places in the find block one repeated line votes for; keeps the search linear. */
  maxPlacesPerText: 4,
  /** Characters of lines in common from which a place is taken for the one that was meant. */
  minSharedCharacters: 8,
  /** Lines of the file quoted for the model. */
  maxQuotedLines: 12,
  /** Characters of one quoted line. */
  quotedLineCharacters: 200,
  /** Least likeness (shared letter pairs, 0 to 1) for which a line is worth showing: below, it would mislead. */
  minLikeness: 0.5,
  /** Match positions listed when there are several. */
  maxListedPositions: 10,
} as const;
