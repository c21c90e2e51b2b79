import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { reversed, Workshop } from "../workshop.ts";

test.each([
  ["600", "700"],
  ["604", "705"],
  ["640", "750"],
  ["644", "755"],
  ["664", "775"],
  ["444", "555"],
  ["666", "777"],
  ["622", "722"],
])("a file with the rights %o that is to be executable gets %o, and its own back", async (plain, executable) => {
  const shop = new Workshop();
  shop.write("file", "1", 0o755);
  const checkpoint = await shop.keep();
  shop.write("file", "2", 0o644);
  const undo = reversed(await shop.since(checkpoint));
  chmodSync(shop.path("file"), Number.parseInt(plain, 8));
  expect(await shop.apply(undo)).toEqual(["done"]);
  expect(shop.files()).toEqual({ file: `${executable} 1` });
  expect(await shop.apply(reversed(undo))).toEqual(["done"]);
  expect(shop.files()).toEqual({ file: `${plain} 2` });
});

test("what others may execute is nobody's to execute afterwards, and what stays executable keeps its rights", async () => {
  const shop = new Workshop();
  shop.write("file", "1", 0o755);
  const checkpoint = await shop.keep();
  shop.write("file", "2", 0o711);
  const undo = reversed(await shop.since(checkpoint));
  expect(await shop.apply(undo)).toEqual(["done"]);
  expect(shop.files()).toEqual({ file: "711 1" });
});
