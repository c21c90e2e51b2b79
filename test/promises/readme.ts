import { type OwnedPromise, ownedBy } from "./promise.ts";

const endToEnd = "test/end-to-end";
const inbox = `${endToEnd}/inbox`;
const trust = `${endToEnd}/trust`;
const recovery = `${endToEnd}/recovery`;
const sandbox = "adapters/sandbox/test/create-sandbox.test.ts";

/** The sentences of the README's *What happens when it is killed*, by their first words. */
export const whenKilled: readonly OwnedPromise[] = [
  {
    says: "Nothing that was shown is lost",
    owner: ownedBy(
      `${endToEnd}/killed-anywhere.test.ts`,
      "line %i: every later request is valid, and no effect happens twice",
    ),
  },
  {
    says: "Resume the session with `capstan resume`",
    owner: ownedBy(`${recovery}/proved.test.ts`, "it has happened exactly once when the session continues over %s"),
  },
  {
    says: "A file change or a command that provably ended gets its outcome",
    owner: ownedBy(
      `${recovery}/proved.test.ts`,
      "a command that had ended when Capstan was killed is not in doubt: its exit code is reported",
    ),
  },
  {
    says: "Commands end with Capstan",
    owner: ownedBy(
      `${recovery}/nothing-survives.test.ts`,
      "nothing that a command started outlives Capstan when it is %s",
    ),
  },
  {
    says: "`npm run torture -- --runs 20` kills the real program",
    owner: ownedBy(
      "test/crash-matrix/crash-matrix.test.ts",
      "every test that a cell names is in its file, with its cases, and every code is explained",
    ),
  },
  {
    says: "Capstan keeps every file before it changes it",
    owner: ownedBy(`${recovery}/taken-back.test.ts`, "what somebody changed since is named, and left alone"),
  },
  {
    says: "The store leaves out what `.gitignore`",
    owner: ownedBy(
      "adapters/checkpoints/test/left-out.test.ts",
      "large files: their change is reported, but not undone",
    ),
  },
];

/** The sentences of the README's *What protects you*, by their first words. */
export const protections: readonly OwnedPromise[] = [
  {
    says: "Reading inside the workspace is allowed",
    owner: ownedBy(
      `${endToEnd}/permissions.test.ts`,
      "nobody is there to ask: the call is denied, the model is informed, the exit code says so",
    ),
  },
  {
    says: "Where nobody can be asked, the answer is no",
    owner: ownedBy(
      `${endToEnd}/permissions.test.ts`,
      "nobody is there to ask: the call is denied, the model is informed, the exit code says so",
    ),
  },
  {
    says: "`run` asks for approval on a terminal",
    owner: ownedBy(
      `${inbox}/answered-elsewhere.test.ts`,
      "a parked run says what waits and how to answer it, and continues when it is answered",
    ),
  },
  {
    says: "Rules (`--allow`, `--deny`, `[permissions]`) are judged",
    owner: ownedBy("core/policy/test/judge-properties.test.ts", "the order of rules never changes a verdict"),
  },
  {
    says: "File tools never leave the workspace",
    owner: ownedBy(
      `${endToEnd}/permissions.test.ts`,
      "a call outside the workspace is denied, even with everything allowed",
    ),
  },
  {
    says: "Commands run in a sandbox",
    owner: ownedBy(`${endToEnd}/sandbox/kept-apart.test.ts`, "does not change %s"),
  },
  {
    says: "A self-test tries to get out before the first command",
    owner: ownedBy(
      "host/test/remembered-test.test.ts",
      "a start after a passed self-test does not wait for one; the first command does",
    ),
  },
  {
    says: "Without a sandbox",
    owner: ownedBy("core/policy/test/catalogue-c.test.ts", "C19: plan mode has no shell without a sandbox"),
  },
  {
    says: "What a command newly makes",
    owner: ownedBy(
      "adapters/sandbox/test/quarantine/quarantine.test.ts",
      "comes back whole, and is then one that was there",
    ),
  },
  { says: "Nothing lifts the blocklist", owner: ownedBy("core/policy/test/blocklist.test.ts", "%s") },
  {
    says: "It is a safety net for mistakes",
    owner: ownedBy(sandbox, "shows nothing of the home and of Capstan's data"),
  },
  {
    says: "The environment of commands has no secrets",
    owner: ownedBy(
      `${endToEnd}/secrets.test.ts`,
      "commands see neither the vendor's key nor other secrets of the environment",
    ),
  },
  {
    says: "A folder is not trusted until you trust it",
    owner: ownedBy(`${trust}/untrusted.test.ts`, "once it is trusted it counts, and one changed byte ends that"),
  },
  {
    says: "`run` asks for trust on a terminal",
    owner: ownedBy(
      `${trust}/question.test.ts`,
      "the user is asked once, sees what would be loaded, and a yes holds from then on",
    ),
  },
  {
    says: "`--trust` holds for one run",
    owner: ownedBy(
      `${trust}/untrusted.test.ts`,
      "--trust holds for one run, aloud and in the journal, and is remembered nowhere",
    ),
  },
  {
    says: "A repository cannot widen anything",
    owner: ownedBy(`${endToEnd}/permissions.test.ts`, "a project's file cannot allow what the user did not"),
  },
  {
    says: "Keys and other secrets are removed from tool results",
    owner: ownedBy(
      `${endToEnd}/secrets.test.ts`,
      "a key that tools, commands and the vendor repeat is in no output and no file",
    ),
  },
  {
    says: "An imported session file is data",
    owner: ownedBy(
      "host/test/exchange/session-file.test.ts",
      "whatever a file says, what is imported is at rest, works in the importing run's folders, and gives no leave",
    ),
  },
  {
    says: "Exports contain no secrets",
    owner: ownedBy(
      "host/test/exchange/session-file.test.ts",
      "a redacted file says so, holds no secret, carries a chain of its own, and can still be imported",
    ),
  },
  {
    says: "A question outlives the process that asked it",
    owner: ownedBy(
      `${inbox}/answered-elsewhere.test.ts`,
      "asked, killed, answered from another process, resumed: the call runs once",
    ),
  },
  {
    says: "Late answers and answers of others change nothing",
    owner: ownedBy(
      `${inbox}/answered-elsewhere.test.ts`,
      "an answer is given once: the same again changes nothing, and says so",
    ),
  },
  {
    says: "Plan mode (`--permission-mode plan`) is another set of tools",
    owner: ownedBy(
      `${endToEnd}/plan/plan-mode.test.ts`,
      "a model that ignores plan mode changes nothing, by tool or by shell",
    ),
  },
  {
    says: "An approved plan is carried out once",
    owner: ownedBy(
      `${endToEnd}/plan/plan-mode.test.ts`,
      "the whole review: adjusted with words, then approved with a clean context, carried out once",
    ),
  },
  {
    says: "`npm run attacks` tries some two thousand attacks",
    owner: ownedBy("test/attacks/attacks.test.ts", "there are at least 400 inputs, in every group, none of them twice"),
  },
];
