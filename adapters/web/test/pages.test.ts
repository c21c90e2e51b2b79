import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FetchedPage, PageRequest, WebPages } from "@capstan/ports";
import { expect, test } from "vitest";
import { type Answer, html, moved, openPlace, outcome, request } from "./support/web-place.ts";

const words = "These words are long enough to be what the page is about, and nothing else is.";
const day = 86_400_000;

async function page(pages: WebPages, url: string, changes: Partial<PageRequest> = {}): Promise<FetchedPage> {
  const got = await pages.fetch(request(url, changes), new AbortController().signal);
  if (got.type !== "page") throw new Error(JSON.stringify(got));
  return got;
}

function answer(status: number, type: string, body: string | Buffer = words): Answer {
  return (_request, response) => response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body);
}

test("a page is its content as Markdown, in parts below their headings, with its title and its language", async () => {
  const body = `<html lang="en"><head><title>The &amp; title</title></head><body><nav>Menu</nav><header>Top</header>
    <main><p>${words} A <a href="/b?c=1">link</a>, <b>bold</b>, <code>x &lt; y</code><br>and on.</p>
    <h2>Second</h2><ul><li>one<ul><li>two</li></ul></li><li>three</li></ul><pre><code class="language-ts">let a = 1;
  b();</code></pre>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><blockquote><p>said</p></blockquote>
    <p>A <a href="javascript:x()">trick</a> and an <img alt="image"></p></main><footer>Foot</footer></body></html>`;
  const { pages } = await openPlace({ "/a": html(body) });
  const got = await page(pages, "http://a.example/a#part");
  expect(got).toMatchObject({
    requestedUrl: "http://a.example/a#part",
    finalUrl: "http://a.example/a",
    title: "The & title",
    language: "en",
    renderingMethod: "http",
    notes: [],
  });
  expect(got.fetchedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(got.chunks.map(({ heading, text }) => [heading, text])).toEqual([
    ["", `${words} A [link](http://a.example/b?c=1), **bold**, \`x < y\`\nand on.`],
    [
      "Second",
      "- one\n  - two\n- three\n\n```ts\nlet a = 1;\n  b();\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n> said\n\nA trick and an [image: image]",
    ],
  ]);
});

test("parts have the tokens that are asked for; lists and code stay whole", async () => {
  const list = `<ul>${"<li>an item of a list that stays in one piece</li>".repeat(60)}</ul>`;
  const { pages } = await openPlace({ "/": html(`<main><p>${`${words} `.repeat(100)}</p>${list}</main>`) });
  const small = await page(pages, "http://a.example/", { maxChunkTokens: 128 });
  const whole = small.chunks.filter(({ text }) => text.startsWith("- "));
  expect(whole.length).toBe(1);
  const rest = small.chunks.filter((chunk) => !whole.includes(chunk));
  expect(rest.length).toBeGreaterThan(10);
  for (const { text, tokenCount } of rest) {
    expect(tokenCount).toBeLessThanOrEqual(129);
    expect(text).toMatch(/^These .* is\.$/);
  }
  const large = await page(pages, "http://a.example/", { maxChunkTokens: 2048 });
  expect(large.chunks.length).toBeLessThan(small.chunks.length / 5);
});

test("what a host answers has a code of its own", async () => {
  const { pages } = await openPlace({
    "/404": answer(404, "text/html"),
    "/408": answer(408, "text/html"),
    "/429": answer(429, "text/html"),
    "/503": answer(503, "text/html"),
    "/304": answer(304, "text/html"),
    "/json": answer(200, "application/json", "{}"),
    "/pdf": answer(200, "application/pdf", "%PDF"),
    "/binary": answer(200, "", Buffer.from([0, 1, 2])),
    "/zero": answer(200, "text/plain", Buffer.from("a\0b")),
    "/empty": answer(200, "text/html", "<html></html>"),
    "/plain": answer(200, "text/plain; charset=utf-8", "one\n\ntwo <b>"),
    "/sniffed": answer(200, "", `<!doctype html><p>${words}`),
    "/unnamed": answer(200, "", "only words"),
    "/xhtml": answer(200, "application/xhtml+xml", `<main>${words}</main>`),
    "/nowhere": (_request, response) => response.writeHead(302).end(),
  });
  const outcomes: Readonly<Record<string, string>> = {
    "404": "http_4xx",
    "408": "http_4xx",
    "429": "http_4xx",
    "503": "http_5xx",
    "304": "network",
    json: "unsupported_content_type",
    pdf: "unsupported_content_type",
    binary: "unsupported_content_type",
    zero: "unsupported_content_type",
    empty: "extraction_failed",
    plain: "one\n\ntwo <b>",
    sniffed: words,
    unnamed: "only words",
    xhtml: words,
    nowhere: "network",
  };
  for (const [path, expected] of Object.entries(outcomes))
    expect([path, await outcome(pages, `http://a.example/${path}`)]).toEqual([path, expected]);
  const retryable = async (path: string): Promise<unknown> => {
    const got = await pages.fetch(request(`http://a.example/${path}`), new AbortController().signal);
    return got.type === "failed" && got.retryable;
  };
  expect([await retryable("404"), await retryable("408"), await retryable("429"), await retryable("503")]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(await outcome(pages, "http://a.example/plain", { forceBrowser: true })).toBe("browser_unavailable");
  expect((await page(pages, "http://a.example/unnamed")).notes).toContain("browser_unavailable_used_http");
});

test("a page that moves within its host is followed there, and its secure one counts as the same", async () => {
  const { pages, asked } = await openPlace({
    "/a": moved("/b?c=d", 301),
    "/b": moved("http://a.example/c", 308),
    "/c": html(`<main>${words}</main>`),
    "/up": moved("https://a.example/c"),
    "/www": moved("http://www.a.example/c"),
  });
  const got = await page(pages, "http://a.example/a");
  expect([got.finalUrl, got.requestedUrl]).toEqual(["http://a.example/c", "http://a.example/a"]);
  expect(asked).toEqual(["a.example/robots.txt", "a.example/a", "a.example/b?c=d", "a.example/c"]);
  // Followed: the server here speaks no TLS.
  expect(await outcome(pages, "http://a.example/up")).toMatch(/^(?:network|robots_unavailable)$/);
  expect(await outcome(pages, "http://a.example/www")).toBe("moved http://www.a.example/c");
});

test("robots.txt is obeyed: its absence allows, its failure does not, unless the user says so", async () => {
  const rules = "User-agent: *\nDisallow: /private\nAllow: /private/open\nUser-agent: capstan\nDisallow: /ours\n";
  const answers = {
    "a.example/robots.txt": answer(200, "text/plain", rules),
    "b.example/robots.txt": answer(500, "text/plain"),
    "c.example/robots.txt": moved("/real-robots.txt"),
    "c.example/real-robots.txt": answer(200, "text/plain", "User-agent: *\nDisallow: /"),
    "d.example/robots.txt": moved("http://other.example/robots.txt"),
  };
  const ok = html(`<main>${words}</main>`);
  const paths = Object.fromEntries(["/", "/ours", "/private", "/private/open"].map((path) => [path, ok]));
  const { pages, again, asked } = await openPlace({ ...paths, ...answers });
  expect(await outcome(pages, "http://a.example/ours")).toBe("robots_disallowed");
  // The group that names us counts alone.
  expect(await outcome(pages, "http://a.example/private")).toBe(words);
  expect(await outcome(pages, "http://b.example/")).toBe("robots_unavailable");
  expect(await outcome(pages, "http://c.example/")).toBe("robots_disallowed");
  expect(await outcome(pages, "http://d.example/")).toBe(words);
  expect(asked.filter((each) => each === "a.example/robots.txt").length).toBe(1);
  const open = await page(again({ robotsFailOpen: true }), "http://b.example/");
  expect(open.notes).toEqual(["robots_unavailable_fail_open"]);
});

test("a page is kept for a week from when it was fetched, and found again by another process", async () => {
  let now = Date.parse("2026-01-01");
  const { pages, again, asked } = await openPlace({ "/": html(`<main>${words}</main>`) }, {}, { now: () => now });
  const fetches = (): number => asked.filter((each) => each === "a.example/").length;
  expect((await page(pages, "http://a.example/")).notes).toEqual([]);
  now += 6 * day;
  const hit = await page(again(), "http://a.example/#other");
  expect([hit.notes, hit.fetchedAt, fetches()]).toEqual([["cache_hit"], "2026-01-01T00:00:00.000Z", 1]);
  now += 2 * day;
  expect((await page(pages, "http://a.example/")).notes).toEqual([]);
  expect((await page(pages, "http://a.example/", { noCache: true })).notes).toEqual([]);
  expect(fetches()).toBe(3);
});

test("a kept page that was damaged, or is a link, is fetched again; one that cannot be kept is had all the same", async () => {
  const { pages, again, cache } = await openPlace({ "/": html(`<main>${words}</main>`) });
  await page(pages, "http://a.example/");
  const [name = ""] = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".json"),
  );
  const path = join(cache, name);
  expect([name, statSync(path).mode & 0o777]).toEqual([
    expect.stringMatching(/^([0-9a-f]{2})\/\1[0-9a-f]{62}\.json$/),
    0o600,
  ]);
  const whole = readFileSync(path, "utf8");
  expect(JSON.parse(whole)).toMatchObject({ version: 2 });
  for (const damaged of [
    "",
    "{",
    whole.replace('"version":2', '"version":1'),
    whole.replace("a.example", "b.example"),
    "null",
  ]) {
    writeFileSync(path, damaged);
    expect([damaged.slice(0, 20), (await page(pages, "http://a.example/")).notes]).toEqual([damaged.slice(0, 20), []]);
  }
  writeFileSync(join(cache, "elsewhere"), whole);
  unlinkSync(path);
  symlinkSync(join(cache, "elsewhere"), path);
  expect((await page(pages, "http://a.example/")).notes).toEqual([]);
  writeFileSync(join(cache, "file"), "");
  const nowhere = again({ cacheFolder: join(cache, "file", "web") });
  expect((await page(nowhere, "http://a.example/")).notes).toEqual(["cache_write_failed"]);
  mkdirSync(dirname(path), { recursive: true });
});

test("text is decoded as its header says, else as the page says; what nobody knows is read as UTF-8, and said", async () => {
  const latin = Buffer.from("Größe: ", "latin1");
  const rest = Buffer.from(words);
  const meta = Buffer.from('<meta charset="iso-8859-1"><p>');
  const { pages } = await openPlace({
    "/header": answer(200, "text/html; charset=ISO-8859-1", Buffer.concat([latin, rest])),
    "/meta": answer(200, "text/html", Buffer.concat([meta, latin, rest])),
    "/utf8": answer(200, "text/html", `Größe: ${words}`),
    "/wrong": answer(200, "text/html; charset=klingon", `Größe: ${words}`),
    "/none": answer(200, "text/html", Buffer.concat([latin, rest])),
  });
  for (const path of ["header", "meta", "utf8"]) {
    const got = await page(pages, `http://a.example/${path}`);
    expect([path, got.chunks[0]?.text, got.notes]).toEqual([path, `Größe: ${words}`, []]);
  }
  expect((await page(pages, "http://a.example/wrong")).notes).toEqual(["charset_fallback"]);
  expect((await page(pages, "http://a.example/none")).notes).toEqual(["charset_fallback"]);
});
