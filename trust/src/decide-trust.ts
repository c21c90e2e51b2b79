import { messageOf } from "@capstan/protocol";
import { type ReadFiles, readTrustFiles } from "./read-trust-files.ts";
import { rememberTrust } from "./remember-trust.ts";
import {
  byFlag,
  changedSince,
  ignoredPlaces,
  notRemembered,
  refusedFiles,
  replaced,
  storeRefused,
} from "./trust-notices.ts";
import { lookAround, standingOf, type TrustSituation, type TrustStanding } from "./trust-standing.ts";
import type { TrustAnswer, TrustedBy, TrustNotice, TrustQuestion, WorkspaceTrust } from "./workspace-trust.ts";

export interface TrustRequest {
  /** The working directory as it was named; it exists. */
  readonly cwd: string;
  /** The data directory. */
  readonly home: string;
  /** Names of instruction files, from the user's configuration. */
  readonly instructionFiles: readonly string[];
  /** `--trust`: for this run only; nothing is remembered. */
  readonly once: boolean;
  /** Asks a user, where there is one. */
  readonly ask?: (question: TrustQuestion) => Promise<TrustAnswer>;
  /** ms since 1970. */
  now(): number;
}

/**
 * Decides whether what a workspace brings along may be loaded, before any of it is opened. A user's word counts for one
 * folder, recognised by more than its name, and for the files as they were; it comes from the data directory, from `ask` or from the
 * command line, and from nowhere else. A folder that nobody trusted is only looked at: names and sizes.
 */
export async function decideTrust(request: TrustRequest): Promise<WorkspaceTrust> {
  const situation = lookAround(request);
  if (request.once) return trusted(situation, readTrustFiles(situation.folder.identity, situation.places), "flag");
  const standing = standingOf(request.home, situation);
  if (standing.type === "trusted") return trusted(situation, standing.read, "store");
  const { ask } = request;
  // Where a user's word cannot be kept, none is asked for.
  if (ask === undefined || situation.places.length === 0 || standing.type === "refused")
    return untrusted(situation, standing);
  return await askUser({ ...request, ask }, situation, standing);
}

async function askUser(
  request: TrustRequest & { readonly ask: NonNullable<TrustRequest["ask"]> },
  situation: TrustSituation,
  standing: Exclude<TrustStanding, { readonly type: "trusted" | "refused" }>,
): Promise<WorkspaceTrust> {
  let read = standing.type === "changed" ? standing.read : undefined;
  const readOnce = (): ReadFiles => (read ??= readTrustFiles(situation.folder.identity, situation.places));
  const answer = await request.ask({
    folder: situation.folder.identity.path,
    named: request.cwd,
    why: standing.type,
    places: situation.places,
    changed: standing.type === "changed" ? standing.changed : [],
    read: () => readOnce().files,
  });
  if (answer !== "trust") return untrusted(situation, standing);
  const known = standing.type === "changed" ? standing.entry : undefined;
  const notices = await rememberTrust(request.home, { situation, read: readOnce(), known }, request.now()).then(
    () => [],
    (error: unknown) => [notRemembered(messageOf(error))],
  );
  return trusted(situation, readOnce(), "user", notices);
}

function trusted(
  { folder, places }: TrustSituation,
  { files, refused }: ReadFiles,
  by: Exclude<TrustedBy, "nobody">,
  notices: readonly TrustNotice[] = [],
): WorkspaceTrust {
  return {
    trusted: true,
    by,
    folder: folder.identity.path,
    places,
    ignored: [],
    refused,
    changed: [],
    approved: new Map(files.map(({ path, sha256 }) => [path, sha256])),
    notices: [...(by === "flag" ? [byFlag(folder.identity.path, places)] : []), ...notices, ...refusedFiles(refused)],
  };
}

function untrusted(
  { folder, places }: TrustSituation,
  standing: Exclude<TrustStanding, { readonly type: "trusted" }>,
): WorkspaceTrust {
  const { path } = folder.identity;
  const changed = standing.type === "changed" ? standing.changed : [];
  return {
    trusted: false,
    by: "nobody",
    folder: path,
    places,
    ignored: places,
    refused: [],
    changed,
    approved: new Map(),
    notices: [
      ...(standing.type === "refused" ? [storeRefused(standing.reason)] : []),
      ...(standing.type === "replaced" ? [replaced(path)] : []),
      ...changedSince(path, changed),
      ...ignoredPlaces(path, places),
    ],
  };
}
