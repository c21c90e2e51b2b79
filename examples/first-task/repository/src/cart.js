import { percentOf } from "./money.js";

/** Ten or more of one article are ten per cent cheaper. */
const bulkQuantity = 10;
const bulkPercent = 10;

/** The price of one line in cents, bulk discount included. */
export function lineTotal({ priceCents, quantity }) {
  const full = priceCents * quantity;
  return quantity > bulkQuantity ? full - percentOf(full, bulkPercent) : full;
}

/** The price of all lines in cents. */
export function cartTotal(lines) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}
