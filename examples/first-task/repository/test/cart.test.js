import assert from "node:assert/strict";
import { test } from "node:test";
import { cartTotal, lineTotal } from "../src/cart.js";

test("one article costs its price", () => {
  assert.equal(lineTotal({ priceCents: 250, quantity: 1 }), 250);
});

test("ten of one article are ten per cent cheaper", () => {
  assert.equal(lineTotal({ priceCents: 250, quantity: 10 }), 2250);
});

test("a cart adds its lines up", () => {
  assert.equal(
    cartTotal([
      { priceCents: 100, quantity: 2 },
      { priceCents: 50, quantity: 1 },
    ]),
    250,
  );
});
