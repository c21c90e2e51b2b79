import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRedactor } from "@capstan/runtime";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keySamples } from "./key-samples.ts";

const redact = createRedactor([]);

/** Everything of a key that its neighbours do not show. */
function tailOf(key: string): string {
  const runs = key.match(/[A-Za-z0-9+/_-]{10,}/g) ?? [];
  return (runs.findLast((run) => !run.includes("PRIVATE") && run !== "-----") ?? key).slice(-8);
}

test.each(Object.entries(keySamples))("%s: none survives, wherever it stands", (_name, sample) => {
  fc.assert(
    fc.property(sample, fc.constantFrom("", "key=", '{"k":"', "see ", "(", "\n"), (key, before) => {
      const redacted = redact(`${before}${key}" rest`);
      expect(redacted).toContain("***");
      expect(redacted).not.toContain(tailOf(key));
      expect(redacted.endsWith(" rest")).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test.each(["Anthropic", "GitHub", "OpenAI project", "AWS", "Stripe", "private key", "JWT", "GitLab"])(
  "%s: nor in base64",
  (name) => {
    fc.assert(
      fc.property(keySamples[name] ?? fc.constant(""), fc.boolean(), (key, isUrl) => {
        const encoded = Buffer.from(key).toString(isUrl ? "base64url" : "base64");
        expect(redact(`password: ${encoded}\nrest`)).toBe("password: ***\nrest");
      }),
      { numRuns: 50 },
    );
  },
);

test("hashes, ids, integrity strings, pictures and addresses are left alone", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 3000 }).map((data) => Buffer.from(data));
  const ordinary = fc.oneof(
    bytes.map((data) => createHash("sha256").update(data).digest("hex")),
    bytes.map((data) => createHash("sha1").update(data).digest("hex")),
    bytes.map((data) => `sha512-${createHash("sha512").update(data).digest("base64")}`),
    bytes.map((data) => `data:image/png;base64,${data.toString("base64")}`),
    fc.constant(null).map(() => randomUUID()),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.emailAddress(),
    fc.lorem({ maxCount: 20, mode: "sentences" }),
    fc.stringMatching(/^[a-z]{1,12}(-[a-z]{1,12}){0,6}$/),
    fc.stringMatching(/^[a-z]{1,12}(_[a-z]{1,12}){0,6}$/),
    fc.json(),
  );
  fc.assert(
    fc.property(fc.array(ordinary, { maxLength: 6 }), (texts) => {
      const text = texts.join("\n");
      expect(redact(text)).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  "gho_aaaaaa_aaaaaaaaa a_gho_a_aaaaa_aaaaaaaa github_pat_for_the_release_job",
  "gsk_aaaaaa_bbbbbbb_ccccccc xai-model-of-the-year-again glc_login_for_the_grafana_cloud",
  "sk-circle-fade-dot-animation-delay",
  "npm_config_registry_and_more npm_package_dependencies_left_pad",
  "hf_hub_download_the_model_file",
  "http://localhost:3000/@scope/package",
  "git@github.com:owner/repository.git ssh://git@github.com/owner/repository",
  "the bearer authentication scheme of RFC 6750",
  "Authorization: Bearer ${token}",
  "secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']",
  "key-0123 dapi dapier SKU SKIP AKIAHABARA asian AccountKey=",
  "eyJhbGciOiJIUzI1NiJ9 alone is no token",
  "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
  "10:AA 20:AAB time 12345678:AA short",
])("is no key: %s", (text) => {
  expect(redact(text)).toBe(text);
});

test("the lockfile of this project has no key in it", () => {
  const lockfile = readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8");
  expect(redact(lockfile)).toBe(lockfile);
});

test.each([
  "eyJ-",
  "sk-",
  "://a:",
  "-----BEGIN ",
  "c2st-",
  "Bearer a",
  "SG.",
  "hvs.",
  "secret_",
  ":AA",
  "MTA",
  "\\u00",
  "%4",
])("a flood of beginnings (%s) takes no longer than its length", (beginning) => {
  const steps = (count: number): number => redact(beginning.repeat(count)).length;
  expect(steps(50_000)).toBeGreaterThan(0);
});
