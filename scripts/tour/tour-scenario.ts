import type { Scenario } from "@capstan/rehearsal";
import { parseScenario } from "@capstan/rehearsal";

const newTest = `test("nine of one article cost their full price", () => {
  assert.equal(lineTotal({ priceCents: 250, quantity: 9 }), 2250);
});

test("a cart adds its lines up", () => {`;

/** What the model of the tour says and does, answer by answer. */
const turns: readonly object[] = [
  {
    text: "I will look at what there is.",
    tool_calls: [
      { name: "glob", arguments: { pattern: "**/*" } },
      { name: "read_file", arguments: { path: "README.md" } },
    ],
  },
  {
    text: "A small shop in JavaScript. `src/cart.js` adds the lines of a cart up and knows the bulk discount, `src/receipt.js` prints a receipt, and test/cart.test.js holds the tests. Prices are whole cents.",
  },
  {
    text: "I will run the tests first.",
    tool_calls: [
      { name: "run_command", arguments: { argv: ["node", "--test"] } },
      { name: "read_file", arguments: { path: "src/cart.js" } },
    ],
  },
  {
    text: 'The comment says "ten or more", and the code compares with `>`.',
    tool_calls: [
      {
        name: "exit_plan_mode",
        arguments: { plan: "1. In `src/cart.js`, compare with `>=`: ten count as bulk.\n2. Run the tests." },
      },
    ],
  },
  {
    tool_calls: [
      {
        name: "edit_file",
        arguments: {
          path: "src/cart.js",
          old_string: "quantity > bulkQuantity",
          new_string: "quantity >= bulkQuantity",
        },
      },
    ],
  },
  { tool_calls: [{ name: "run_command", arguments: { argv: ["node", "--test"] } }] },
  { text: "The bulk discount began at eleven instead of ten. It now begins at ten, and all tests pass." },
  { tool_calls: [{ name: "read_file", arguments: { path: "README.md" } }] },
  {
    tool_calls: [
      {
        name: "edit_file",
        arguments: {
          path: "README.md",
          old_string: "`receipt` prints them.",
          new_string: "`receipt` prints them.\n\nTen or more of one article are ten per cent cheaper.",
        },
      },
    ],
  },
  {
    tool_calls: [
      {
        name: "run_command",
        arguments: { command: "git commit --all --quiet --message 'The bulk discount begins at ten'", writes: true },
      },
    ],
  },
  { text: "The README names the bulk discount, and both changes are **committed**." },
  {
    text: "I will read the tests.",
    tool_calls: [{ name: "read_file", arguments: { path: "test/cart.test.js" } }],
  },
  {
    tool_calls: [
      {
        name: "edit_file",
        arguments: {
          path: "test/cart.test.js",
          old_string: 'test("a cart adds its lines up", () => {',
          new_string: newTest,
        },
      },
    ],
  },
  { text: "test/cart.test.js now holds the other side of the boundary: nine articles cost their full price." },
  { text: "The change is right: the comparison fits its comment, and both sides of the boundary have a test." },
  {
    text: "I will compare the README with the code.",
    tool_calls: [
      { name: "read_file", arguments: { path: "README.md" } },
      { name: "read_file", arguments: { path: "src/cart.js" } },
    ],
  },
  {
    text: "It does.\n\nThe README names whole cents, the bulk discount from ten articles on, and the receipt; the code and its tests say the same.",
    // It stops in the middle of its answer, once: the run is killed there.
    fault: { type: "stall", after_bytes: 3000 },
  },
];

export function tourScenario(): Scenario {
  return parseScenario(JSON.stringify({ name: "tour", turns }), "tour-scenario.ts");
}
