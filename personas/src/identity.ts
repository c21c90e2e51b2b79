/** How a persona works: traits from 0 to 1, what it looks at, and what its answers end with. @see seed D35 */
export interface Identity {
  readonly traits: Readonly<Partial<Record<Trait, number>>>;
  readonly lenses: readonly string[];
  readonly deliverables: readonly Deliverable[];
}

/** What a trait near 0 and one near 1 ask for; between them nothing is said. */
const sentences = {
  verbosity: ["Answer as briefly as the matter allows.", "Explain at length, with the reasons for what you did."],
  cautiousness: [
    "Act without hesitating.",
    "Move carefully: prefer what can be undone, and look twice before you change.",
  ],
  pedantry: ["Leave small things alone.", "Be exact in small things, too: names, edge cases, wording."],
  planning_depth: [
    "Begin at once; plan as you work.",
    "Plan the whole way before the first step, and keep the plan true.",
  ],
  evidence_threshold: [
    "Take a likely explanation as enough.",
    "Claim nothing that you have not seen in code or output.",
  ],
  refactor_bias: ["Change nothing beyond the task.", "Improve the structure of what you touch."],
} as const;

const endings = {
  require_diff_summary: "a summary of what changed, file by file",
  test_plan: "how to test it",
  risks: "what could go wrong",
  security_review: "what it means for security",
  checklist: "a checklist of what was asked, each with its state",
} as const;

type Trait = keyof typeof sentences;
export type Deliverable = keyof typeof endings;

export const traits: readonly string[] = Object.keys(sentences);
export const deliverables: readonly string[] = Object.keys(endings);

export function isTrait(name: string): name is Trait {
  return Object.hasOwn(sentences, name);
}

export function isDeliverable(name: string): name is Deliverable {
  return Object.hasOwn(endings, name);
}

/** Traits below the first and above the second say something. */
const low = 0.34;
const high = 0.66;

/** What the model reads of several: of each trait the last one counts, and everything else of all of them. Empty: nothing. */
export function identityText(identities: readonly Identity[]): string {
  const merged = new Map(identities.flatMap((identity) => Object.entries(identity.traits)));
  const said = Object.entries(sentences).flatMap(([name, [less, more]]) => {
    const value = merged.get(name) ?? (low + high) / 2;
    return value < low ? [less] : value > high ? [more] : [];
  });
  const lenses = [...new Set(identities.flatMap((identity) => identity.lenses))];
  const wanted = new Set(identities.flatMap((identity) => identity.deliverables));
  const ends = Object.entries(endings).flatMap(([name, text]) =>
    isDeliverable(name) && wanted.has(name) ? [text] : [],
  );
  return [
    ...said,
    ...(lenses.length === 0 ? [] : [`Look at the work with an eye to ${lenses.join(", ")}.`]),
    ...(ends.length === 0 ? [] : [`End the answer to a finished task with: ${ends.join("; ")}.`]),
  ].join(" ");
}
