import { cartTotal, lineTotal } from "./cart.js";
import { formatCents } from "./money.js";

/** One line per article, and the total. */
export function receipt(lines) {
  const rows = lines.map((line) => `${line.quantity} x ${line.name}  ${formatCents(lineTotal(line))}`);
  return [...rows, `Total  ${formatCents(cartTotal(lines))}`].join("\n");
}
