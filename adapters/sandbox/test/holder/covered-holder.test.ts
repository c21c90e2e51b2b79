import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CommittedFiles } from "../../src/committed/committed-files.ts";
import { type Cover, CoveredHolder, coversOf } from "../../src/holder/covered-holder.ts";
import type { Holder } from "../../src/holder/holder.ts";
import { type HolderParts, startHolder } from "../../src/holder/start-holder.ts";
import type { Mount } from "../../src/layout/profile.ts";
import { defaultLimits } from "../../src/limits.ts";
import { closedSourcesIn } from "../../src/protect/closed-sources.ts";
import { assembleFilter } from "../../src/seccomp/assemble-filter.ts";
import { systemCallsOf } from "../../src/seccomp/syscall-numbers.ts";
import { makePlace, type Place } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

function partsOf({ options }: Place): HolderParts {
  const calls = systemCallsOf(process.arch);
  if (calls === undefined) throw new Error(`no system calls are known for ${process.arch}`);
  const filter = assembleFilter(calls);
  return {
    options,
    bubblewrap: "/usr/bin/bwrap",
    filter,
    limits: defaultLimits,
    calls,
    secrets: [],
    caches: [],
    committed: new CommittedFiles(undefined),
  };
}

/** A holder in which a protected file is covered, or will be. */
async function protectedFile(isCovered = true): Promise<{
  readonly path: string;
  readonly mounts: readonly Mount[];
  readonly covers: readonly Cover[];
  readonly holder: Holder;
  readonly covered: CoveredHolder;
}> {
  const place = makePlace();
  const closed = closedSourcesIn(place.options.stateDirectory);
  const path = join(place.workspace, ".env");
  writeFileSync(path, "secret");
  const mounts: readonly Mount[] = [{ type: "closed", path, source: closed.file }];
  const covers = coversOf(mounts);
  const layout = { roots: [place.workspace], writable: [], cwd: place.workspace };
  const started = isCovered ? mounts : [];
  const holder = await startHolder(partsOf(place), { layout, mounts: started, closed });
  const covered = new CoveredHolder(holder, isCovered ? covers : [], { open: layout.roots, closed });
  return { path, mounts, covers, holder, covered };
}

test.skipIf(!hasBubblewrap)(
  "commands are ended, and the reason names the file, where what was replaced cannot be covered again (needs bubblewrap)",
  async () => {
    const { path, mounts, covers, holder, covered } = await protectedFile();
    expect([await covered.become(covers), covered.canBecome(covers)]).toEqual([undefined, true]);
    const reasons: string[] = [];
    const ended = new Promise<void>((resolve) => {
      const leave = covered.enter((reason) => {
        reasons.push(reason);
        if (reasons.length === 2) resolve();
      });
      onTestFinished(leave);
    });
    // Nothing can be mounted in a holder that is closed.
    holder.close();
    writeFileSync(`${path}.new`, "secret");
    renameSync(`${path}.new`, path);
    await ended;
    expect(reasons[0]).toContain(`${JSON.stringify(path)} is protected and was replaced while the command ran`);
    expect(covered.canBecome(coversOf(mounts))).toBe(false);
  },
);

test.skipIf(!hasBubblewrap)(
  "what is moved away while it is being covered is not taken for covered, nor when it is back as what it was (needs bubblewrap)",
  async () => {
    const { path, covers, holder, covered } = await protectedFile(false);
    onTestFinished(() => holder.close());
    renameSync(path, `${path}.away`);
    expect(await covered.become(covers)).toContain("was moved while it was being covered");
    renameSync(`${path}.away`, path);
    expect(covered.closes(path)).toBe(false);
    expect([await covered.become(covers), covered.closes(path)]).toEqual([undefined, true]);
  },
);
