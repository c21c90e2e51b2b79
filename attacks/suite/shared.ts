/** Work that several attacks look at: done when the first of them asks. */
export function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () => (begun ??= work());
}
