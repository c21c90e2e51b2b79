import { relative } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { ChangeReach, SandboxReport, SandboxRequest } from "@capstan/ports";
import type { HeldGround } from "./holder/holding.ts";
import type { Layout } from "./layout/check-layout.ts";
import type { OpenedHosts } from "./network/open-hosts.ts";
import type { HeldRun } from "./protect/held-run.ts";
import { identityAt } from "./protect/identity-at.ts";
import { surveyAll, type Targets } from "./protect/plan-protection.ts";
import type { Survey } from "./protect/survey.ts";
import { tellMoved } from "./protect/tell-moved.ts";
import { clearNewNames } from "./quarantine/clear-new-names.ts";
import { Quarantine, type QuarantinedItem } from "./quarantine/quarantine.ts";
import { listRepositoryRuns, type RepositoryRuns } from "./scan/repository-runs.ts";
import { compareLaterRuns, type LaterRuns, listLaterRuns } from "./scan/runs-later.ts";
import { setAside } from "./scan/set-aside.ts";
import type { Unreported } from "./unreported.ts";

export interface EndedRun {
  readonly request: SandboxRequest;
  readonly layout: Layout;
  readonly ground: HeldGround;
  /** What was there when it started. */
  readonly before: { readonly later: LaterRuns; readonly repositories: RepositoryRuns };
  readonly targets: Targets;
  readonly run: HeldRun;
  readonly hosts: OpenedHosts | undefined;
  readonly stateDirectory: string;
  /** Of killed runs. */
  readonly unreported: Unreported;
}

/** Puts the folders in order after a run, and says what people and the model should know. */
export async function reportRun(ended: EndedRun): Promise<SandboxReport> {
  const { request, layout, ground, before, targets } = ended;
  const { plan, surveys, known, moved, isPartial } = ground.protection;
  const { cwd } = request.workspace;
  const roots = [...surveys.keys()];
  // Nothing obeys a private copy: whoever applies what changed in it sees that first.
  if (request.copied !== undefined)
    return { runsLater: [], quarantined: [], refusedHosts: ended.hosts?.refused() ?? [] };
  const replaced = ended.run.putBack();
  const found = [...(await surveyAll(roots, targets)).values()];
  const quarantine = new Quarantine(ended.stateDirectory);
  const earlier = ended.unreported.report(quarantine, roots);
  const absent = ended.run.absent();
  const putBack = replaced.map(({ path }) => path);
  const cleared = clearNewNames(
    { roots, absent, governing: ground.governing, putBack, isReported: true },
    found,
    quarantine,
  );
  const after = found.map((survey) => withoutMoved(survey, cleared.moved));
  const changed = compareLaterRuns(before.later, listLaterRuns(after), cwd);
  const planted = compareLaterRuns(before.repositories.prints, listRepositoryRuns(after), cwd, (path) =>
    // The program could not change it: somebody else has.
    plan.mounts.some((mount) => mount.type !== "pinned" && isWithin(mount.path, path)) ||
    before.repositories.identities.has(identityAt(path) ?? "")
      ? undefined
      : setAside(path, [...layout.roots, ...layout.writable]),
  );
  const hidden = await tellMoved(known, { before: moved, surveys: after });
  const unseen =
    request.confinement.workspace === "write" &&
    [{ isPartial }, ...surveys.values(), ...after].some((survey) => survey.isPartial);
  return {
    runsLater: [
      ...earlier.left,
      ...replaced.map(({ text }) => text),
      ...cleared.problems,
      ...changed,
      ...planted,
      ...hidden.texts,
      ...(unseen ? [notAllSeen] : []),
    ],
    quarantined: [...earlier.moved, ...cleared.moved].map(({ id, path }) => ({ id, path: relative(cwd, path) })),
    refusedHosts: ended.hosts?.refused() ?? [],
    reach: reachOf(ended, hidden.from),
  };
}

/** @param moved  where protected files were that it has moved: these it could change after all */
function reachOf({ request, layout, ground }: EndedRun, moved: readonly string[] | undefined): ChangeReach {
  const { workspace } = request.confinement;
  const open = workspace === "write" ? layout.roots : workspace === "build" ? (layout.build ?? []) : [];
  const covers = ground.protection.plan.mounts.filter(({ type }) => type !== "pinned").map(({ path }) => path);
  const shut = moved === undefined ? [] : covers.filter((path) => !moved.some((each) => isWithin(path, each)));
  return { open: [...open, ...layout.writable], shut };
}

function withoutMoved(survey: Survey, moved: readonly QuarantinedItem[]): Survey {
  if (moved.length === 0) return survey;
  const stays = (path: string): boolean => !moved.some((item) => isWithin(item.path, path));
  return {
    ...survey,
    repositories: survey.repositories.filter(stays),
    bare: survey.bare.filter(stays),
    governing: survey.governing.filter(stays),
    denied: survey.denied.filter(stays),
    scripts: survey.scripts.filter(stays),
  };
}

const notAllSeen = "perhaps more: the workspace has too many folders, or too deep ones, to look at all";
