/** What the strict lexer accepts, every shell must see alike; and a lexer that errs must be caught. `npm run attacks:lexer` tries more. */
import { describe, expect, test } from "vitest";
import { allDialects } from "../../attacks/lexer/dialects.ts";
import { acceptedBy, disagreementsOf, fuzzLexer } from "../../attacks/lexer/fuzz.ts";
import { disagreementText } from "../../attacks/lexer/report-text.ts";
import { shrinkScript } from "../../attacks/lexer/shrink-script.ts";
import { wrongLexers } from "../../attacks/lexer/wrong-lexers.ts";
import { lexScript } from "../../core/policy/src/commands/lexer.ts";

const count = 5_000;
const fixedSeed = 20_261_122;
/** Every run tries others; a failing one is repeated by `npm run attacks:lexer -- --count 5000 --seed …`. */
const randomSeed = Date.now() % 1_000_000_000;
const dialects = allDialects().filter(({ file }) => file !== undefined);

test("bash is here to compare with", () => {
  expect(dialects.map(({ name }) => name)).toContain("bash");
});

describe.each(allDialects())("$name", (dialect) => {
  test.skipIf(dialect.file === undefined).each([fixedSeed, randomSeed])(
    "sees what the lexer read, seed %i",
    async (seed) => {
      const { dialects: reports } = await fuzzLexer({ count, seed, lexer: lexScript, dialects: [dialect] });
      expect(reports.map(({ compared }) => compared > count / 3)).toEqual([true]);
      expect(reports.flatMap((part) => part.disagreements.map((one) => disagreementText(dialect.name, one)))).toEqual(
        [],
      );
    },
  );
});

// Some faults only zsh punishes.
describe.runIf(dialects.length === allDialects().length)("a lexer that errs is caught", () => {
  test.each(wrongLexers)("at: $name", async ({ lexer }) => {
    const { dialects: reports } = await fuzzLexer({ count, seed: fixedSeed, lexer, dialects, stopAtFailure: true });
    expect(reports.some(({ disagreements }) => disagreements.length > 0)).toBe(true);
  });

  test("and what it misread is shown as short as it goes", async () => {
    const [comment] = wrongLexers;
    const [bash] = dialects;
    if (comment === undefined || bash === undefined) throw new Error("nothing to compare");
    const long = acceptedBy(comment.lexer, "git 'a b' && ls x #y | cat; npm run z");
    const [found] = await disagreementsOf(bash, long);
    if (found === undefined) throw new Error("the comparison saw nothing");
    const shrunk = await shrinkScript(found, comment.lexer, bash);
    expect([shrunk.script, shrunk.commands, shrunk.seen]).toEqual(["#", [["#"]], [{ commands: [], ended: true }]]);
  });
});

test("a script that ends the shell is reported, and the scripts behind it run all the same", async () => {
  const [bash] = dialects;
  if (bash === undefined) throw new Error("nothing to compare");
  const scripts = ["k a", "builtin exit", "k b || kb c"].map((script) => ({ script, commands: [["k", "a"]] }));
  const found = await disagreementsOf(bash, scripts);
  expect(found.map(({ script, seen }) => [script, seen])).toEqual([
    ["builtin exit", [{ commands: [], ended: false }]],
    ["k b || kb c", [{ commands: [["k", "b"]], ended: true }]],
  ]);
});
