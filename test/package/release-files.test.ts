/** What only runs elsewhere: the workflow that publishes, and the container, held to what can be seen here. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../../app/src/version.ts";
import { otherNodes } from "./installed.ts";

const root = join(import.meta.dirname, "../..");

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}

/** The reader that the importers have. */
const yaml: { parse(text: string): typeof workflow } = createRequire(join(root, "importers", "package.json"))("yaml");
const workflow: {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
} = yaml.parse(readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8"));

test("nothing is published that was not tested and installed on every Node that is promised, and then with its provenance", () => {
  const { pack, install, publish } = workflow.jobs;
  expect([install?.needs, publish?.needs]).toEqual(["pack", "install"]);
  expect(pack?.steps.map(({ run }) => run)).toContain(".ci/run");
  const majors = [20, ...otherNodes.map((node) => Number.parseInt(node, 10))];
  expect(install?.strategy?.matrix.node).toEqual(majors);
  expect(publish?.steps.at(-1)?.run).toMatch(/^npm publish --provenance .*capstan\.tgz$/);
  // Only the job that publishes may speak for the repository.
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect([pack?.permissions, install?.permissions]).toEqual([undefined, undefined]);
  expect(publish?.permissions).toEqual({ contents: "read", "id-token": "write" });
});

test("every script of the workflow is one that the shell can read", () => {
  const scripts = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(scripts.length).toBeGreaterThan(4);
  for (const script of scripts) expect(spawnSync("bash", ["-n", "-c", script]).status).toBe(0);
});

test("a tag that is not the version of the package ends the release, and says so", () => {
  const script = workflow.jobs["pack"]?.steps.find(({ name = "" }) => name.startsWith("The tag is"))?.run ?? "";
  const tagged = (tag: string): ReturnType<typeof spawnSync> =>
    spawnSync("bash", ["-e", "-c", script], {
      cwd: root,
      env: { ...process.env, GITHUB_REF_NAME: tag },
      encoding: "utf8",
    });
  expect(tagged(`v${version}`).status).toBe(0);
  expect(tagged("v9.9.9")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`package.json says ${version}`),
  });
});

test("the container holds what commands need, installs the built package, and does not run as root", () => {
  const text = readFileSync(join(root, "Containerfile"), "utf8").replaceAll("\\\n", " ");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const orders = lines.map((line) => line.split(" ")[0]);
  expect(orders).toEqual(["FROM", "RUN", "COPY", "RUN", "RUN", "USER", "WORKDIR", "ENTRYPOINT"]);
  for (const program of ["bubblewrap", "git", "ca-certificates"]) expect(lines[1]).toContain(program);
  expect(lines).toContain("COPY dist/package /opt/capstan");
  expect(lines).toContain("USER node");
  for (const line of lines.filter((one) => one.startsWith("RUN ")))
    expect(spawnSync("bash", ["-n", "-c", line.slice(4)]).status).toBe(0);
  // What is built is all that the build of the container is given.
  expect(readFileSync(join(root, ".containerignore"), "utf8")).toBe("*\n!dist/package\n");
  expect(execFileSync("git", ["ls-files", "dist"], { cwd: root, encoding: "utf8" })).toBe("");
});
