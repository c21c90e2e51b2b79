import { type OwnedPromise, ownedBy } from "./promise.ts";

const endToEnd = "test/end-to-end";
const inbox = `${endToEnd}/inbox`;
const sandbox = "adapters/sandbox/test/create-sandbox.test.ts";
const documents = "test/documents/documents.test.ts";
const withoutSandbox = `${endToEnd}/sandbox/without.test.ts`;
const modeSentence = ownedBy(
  "app/test/modes-said.test.ts",
  "README, help and `policy explain` say the sentence of mode %s in the same words",
);

/** The sentences of the README's *Install*, by their first words. */
export const installation: readonly OwnedPromise[] = [
  {
    says: "Capstan needs Node 20.19 or later",
    owner: ownedBy("app/test/installation/unsupported.test.ts", "Node %s runs Capstan, on Linux and macOS"),
  },
  { says: "On Linux, [bubblewrap]", owner: ownedBy(sandbox, "shows nothing of the home and of Capstan's data") },
  {
    says: "Until the first release is published",
    owner: ownedBy(
      "test/package/release-files.test.ts",
      "the container holds what commands need, installs the built package, and does not run as root",
    ),
  },
  {
    says: "More: [docs/install.md]",
    owner: ownedBy(documents, "every command line in %s is one that the binary takes"),
  },
  {
    says: "Where each command asks and nobody can be asked",
    owner: ownedBy(
      withoutSandbox,
      "the words that the refusal ends with let exactly this command run, each time they are given",
    ),
  },
  {
    says: "`--sandbox off` runs commands without a sandbox",
    owner: ownedBy(
      `${endToEnd}/modes/modes.test.ts`,
      "%s refuses every command where nobody can be asked, and nothing changes",
    ),
  },
];

/** The sentences of the README's *Use it*, by their first words. */
export const usage: readonly OwnedPromise[] = [
  {
    says: "The [tour](docs/tour.md) takes ten minutes",
    owner: ownedBy(documents, "the tour shows every command of its source, in its order"),
  },
  {
    says: "Those who come [from Claude Code, Codex or Gemini CLI]",
    owner: ownedBy(documents, "every command line in %s is one that the binary takes"),
  },
  {
    says: "Any OpenAI-compatible server works",
    owner: ownedBy("catalog/test/make-provider.test.ts", "what is configured about a provider is what its server sees"),
  },
];

/** The sentences of the README's *See it work*, by their first words. */
export const demonstration: readonly OwnedPromise[] = [
  { says: "In a clone, with git:", owner: ownedBy("test/fresh-clone.test.ts", "names only scripts that exist") },
  {
    says: "In half a minute, Capstan gets a real coding task",
    owner: ownedBy(
      `${endToEnd}/killed-anywhere.test.ts`,
      "line %i: every later request is valid, and no effect happens twice",
    ),
  },
  {
    says: "A second process answers its question",
    owner: ownedBy(
      `${inbox}/answered-elsewhere.test.ts`,
      "asked, killed, answered from another process, resumed: the call runs once",
    ),
  },
  {
    says: "Without a key **the model is scripted**",
    owner: ownedBy(
      `${endToEnd}/first-task.test.ts`,
      "a real task goes from a failing test to a green one, and the result lists what changed",
    ),
  },
  {
    says: "This checks what a change can break at once",
    owner: ownedBy("test/fresh-clone.test.ts", "and CI run the same test commands, the fast tier first"),
  },
  {
    says: "`npm run test:all` runs the slow tests",
    owner: ownedBy(
      "test/tiers/test-tiers.test.ts",
      "every test file belongs to exactly one tier, and that tier runs it",
    ),
  },
  {
    says: "This is an early version",
    owner: ownedBy(
      "test/four-wires/all-vendors.test.ts",
      "a session that visits four vendors in turn, twice, continues everywhere and loses nothing on the way",
    ),
  },
];

/** The sentences of the README's *Modes*, by their first words. */
export const modeSection: readonly OwnedPromise[] = [
  {
    says: "`--permission-mode` says how far the agent may go",
    owner: ownedBy(
      `${endToEnd}/shared/kept-settings.test.ts`,
      "what is given again is kept by the next resume, and the one after it",
    ),
  },
  { says: "**plan** reads only", owner: modeSentence },
  { says: "**default**: nothing of yours changes", owner: modeSentence },
  { says: "**accept-edits**: files and sandboxed commands", owner: modeSentence },
  { says: "**auto**: what stays inside", owner: modeSentence },
  {
    says: "A question of mode default can be answered",
    owner: ownedBy(
      "core/engine/test/turn/interactions/workspace-offer.test.ts",
      "one answer settles every question that the mode answers; what leaves the workspace is still asked",
    ),
  },
  {
    says: "Build folders, rules and the sandbox",
    owner: ownedBy(documents, "the page about modes says the sentence of each mode"),
  },
];
