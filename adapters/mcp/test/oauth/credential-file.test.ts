import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CredentialFile } from "../../src/oauth/credential-file.ts";

const url = "https://server.example/mcp";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "capstan-login-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, "logins");
}

test("what a login brought is kept for its user alone, changed piece by piece, and there for the next process", () => {
  const place = folder();
  const file = new CredentialFile(place, "docs", url);
  expect([file.read(), existsSync(place)]).toEqual([{}, false]);
  file.write({ client: { id: "a" }, verifier: "v" });
  file.write({ tokens: { access: "t" }, verifier: null });
  expect(new CredentialFile(place, "docs", url).read()).toEqual({ client: { id: "a" }, tokens: { access: "t" }, url });
  expect([place, file.path].map((path) => (statSync(path).mode % 0o1000).toString(8))).toEqual(["700", "600"]);
  expect(readdirSync(place)).toHaveLength(1);
});

test("under the same name at another address there is nothing, also where the file was moved there", () => {
  const place = folder();
  new CredentialFile(place, "docs", url).write({ tokens: {} });
  const other = new CredentialFile(place, "docs", "https://other.example/mcp");
  expect(other.read()).toEqual({});
  writeFileSync(other.path, JSON.stringify({ url, tokens: {} }));
  expect([other.read(), other.remove()]).toEqual([{}, false]);
});

test("a login is removed once, and a file that says none is none", () => {
  const file = new CredentialFile(folder(), "docs", url);
  file.write({ tokens: { access: "t" } });
  expect([file.remove(), existsSync(file.path), file.remove()]).toEqual([true, false, false]);
  file.write({ client: {} });
  expect([file.remove(), existsSync(file.path)]).toEqual([false, false]);
});

test("a file that cannot be understood is an error that says what to do", () => {
  const file = new CredentialFile(folder(), "docs", url);
  file.write({});
  writeFileSync(file.path, "{");
  expect(() => file.read()).toThrow(expect.objectContaining({ code: "config.unreadable" }));
  for (const text of ["[]", "null", '"text"']) {
    writeFileSync(file.path, text);
    expect(file.read()).toEqual({});
  }
});
