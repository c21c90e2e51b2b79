/** What teaches a model how to do something. Its text is read when it is needed. */
export interface Skill {
  /** Small letters, digits and hyphens, as a rule. */
  readonly name: string;
  /** When it is of use, for the model. */
  readonly description: string;
  /** `SKILL.md`: absolute. */
  readonly file: string;
  readonly from: "user" | "workspace";
  /** Tools that it says it works with, as rules; absent: it says nothing. */
  readonly tools?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
}
