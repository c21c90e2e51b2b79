import type { ToolResult } from "@capstan/ports";
import { expect, test } from "vitest";
import { createReadFileTool } from "../src/read-file.ts";
import { outcomeOf, workspaceFixture } from "./workspace-fixture.ts";

/** One red point. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const gif = Buffer.from("R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=", "base64");
const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
const webp = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 3, 0xff, 0xd9]);

async function read(content: Buffer, args: object = {}): Promise<ToolResult | string> {
  const fixture = workspaceFixture();
  fixture.write("f", content);
  const called = await fixture.call(createReadFileTool(fixture.options, fixture.paths), { path: "f", ...args });
  return called.type === "refused" || called.result.status === "failed" ? outcomeOf(called) : called.result;
}

test.each([
  ["image/png", png],
  ["image/gif", gif],
  ["image/webp", webp],
  ["image/jpeg", jpeg],
  ["application/pdf", pdf],
])("%s is read as what it is, and named for models without eyes", async (mediaType, content) => {
  expect(await read(content)).toMatchObject({
    status: "ok",
    content: expect.stringContaining(`[f: ${mediaType}, ${content.length} bytes;`),
    media: [{ type: "media", mediaType, data: content.toString("base64"), name: "f" }],
  });
});

test("what is cut off, too large, or wanted line by line is shown to no model", async () => {
  for (const content of [png.subarray(0, 40), jpeg.subarray(0, 8), webp.subarray(0, 30), gif.subarray(0, 30)])
    expect(await read(content)).toBe("file.binary");
  const large = Buffer.concat([png.subarray(0, 40), Buffer.alloc(3 * 1024 * 1024), png.subarray(40)]);
  expect(await read(large)).toBe("file.too-large");
  expect(await read(png, { start_line: 1 })).toBe("file.binary");
});

test("a picture larger than what is read of a text is shown whole", async () => {
  const content = Buffer.concat([png.subarray(0, 40), Buffer.alloc(600_000), png.subarray(40)]);
  const result = await read(content);
  expect(typeof result === "string" ? result : result.media?.[0]?.data).toBe(content.toString("base64"));
});
