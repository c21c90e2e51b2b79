/** A package manager and the network that the user opens to it: a double of the registry, the real npm, the real binary. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { callCommand } from "../end-to-end/sandbox/sandbox-place.ts";
import { missingPrograms } from "./run-everyday.ts";
import { startRegistry } from "./registry.ts";

const place = usePlace();
const missing = missingPrograms(["bwrap", "npm", "tar"]);

test.skipIf(missing.length > 0)(
  `npm installs from a registry that the user opened, again and again, and what it has without a network; the user's own cache stays as it is (needs ${missing.join(", ") || "nothing more"})`,
  async () => {
    mkdirSync(join(place.folder, "registry"));
    const registry = await startRegistry(join(place.folder, "registry"));
    place.onClose(() => registry.close());
    const own = join(place.folder, ".npm", "_cacache");
    mkdirSync(own, { recursive: true });
    place.write("package.json", '{ "name": "adder", "version": "1.0.0", "dependencies": { "greet": "^1.0.0" } }\n');
    const npm = (words: string): string =>
      `npm ${words} --registry ${registry.url} --no-audit --no-fund --no-update-notifier`;
    const { host } = new URL(registry.url);
    const open = ["--set", `sandbox.hosts=["${host}"]`];

    const closed = await callCommand(place, { command: npm("install") });
    expect(closed.text).toMatch(/^Exit code: [1-9][^]*\[Sandbox: the loopback is the session's own: [^\n]+\]$/);
    expect(registry.asked).toEqual([]);

    const usual = await callCommand(place, { command: npm("install") }, ["--set", 'sandbox.hosts=["127.0.0.1"]']);
    expect(usual.text).toContain(
      `refused ${host} (a host without a port means 80 and 443). Ask with network: ["${host}"].]`,
    );
    expect(registry.asked).toEqual([]);

    for (const words of ["install", "ci", "update"]) {
      const { text } = await callCommand(place, { command: `${npm(words)} && npx --no-install greet` }, open);
      expect([words, text]).toEqual([words, expect.stringMatching(/^Exit code: 0 [^]*hello from greet/)]);
    }
    expect(new Set(registry.asked)).toEqual(new Set(["/greet", "/greet/-/greet-1.2.3.tgz"]));
    expect(place.read("package-lock.json")).toContain("greet-1.2.3.tgz");
    const offline = await callCommand(place, { command: `${npm("ci --offline")} && npx --no-install greet` });
    expect(offline.text).toMatch(/^Exit code: 0 [^]*hello from greet/);
    expect(readdirSync(own)).toEqual([]);
    const view = await callCommand(place, { command: npm("view greet version") }, open);
    expect(view.text).toMatch(/\n1\.2\.3\n?/);
    const none = await callCommand(place, { command: npm("install no-such-package") }, open);
    expect(none.text).toMatch(/^Exit code: 1[^]*E404/);
  },
);
