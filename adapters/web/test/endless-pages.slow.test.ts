import { expect, test } from "vitest";
import { html, openPlace, outcome } from "./support/web-place.ts";

const words = "These words are long enough to be what the page is about, and nothing else is. ";

test("a page that takes too long to read is given up, and the next one is read by a thread of its own", async () => {
  const { pages } = await openPlace({
    "/": html(`<main>${"<div>".repeat(900_000)}${words}`),
    "/next": html(`<main>${words}</main>`),
  });
  expect(await outcome(pages, "http://a.example/")).toBe("extraction_failed");
  expect(await outcome(pages, "http://a.example/next")).toBe(words.trim());
});
