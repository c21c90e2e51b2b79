/** Whether a path is named as plans are: `x.plan`, `.claude/plans/x.md`, `plans/x.md`, `PLAN.md`. Shown or real paths, with `/`. */
export function isPlanPath(path: string): boolean {
  return /\.plan$|(?:^|\/)plans\/[^/]+$|(?:^|\/)plan\.md$/i.test(path);
}
