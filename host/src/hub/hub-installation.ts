import { createHash } from "node:crypto";
import {
  type Check,
  type ConfigEntry,
  requireRole,
  type Skill,
  type TrustClient,
  type TrustRequest,
  type Workspace,
} from "@capstan/protocol";
import { findSkills } from "@capstan/skills";
import { describeOrigin, explainKey } from "@capstan/settings";
import { decideTrust, trustClasses, type TrustQuestion } from "@capstan/trust";
import type { Settings } from "../load-settings.ts";
import { systemClock } from "../system/system-ports.ts";

/** Every setting as it holds here; secrets are masked. */
export function configEntries({ loaded }: Settings): readonly ConfigEntry[] {
  return [...loaded.keys.keys()].map((name) => {
    const { key, value, origin, locked } = explainKey(loaded, name);
    return {
      key,
      value,
      origin: describeOrigin(origin),
      ...(locked === undefined ? {} : { locked: describeOrigin(locked) }),
    };
  });
}

/** The installation under these settings. */
export async function checkHere(settings: Settings): Promise<readonly Check[]> {
  const { checkInstallation } = await import("../doctor/check-installation.ts");
  return await checkInstallation(settings.env, async () => settings);
}

/**
 * Trust questions of the workspaces in which this host's sessions work. What an answer is about is read once and reported by its digest: an
 * answer to anything else counts for nothing. Sessions that are opened afterwards have what the workspace brings along.
 */
export function hubTrust(
  settings: Settings,
  { workspaces, onTrusted }: { readonly workspaces: () => readonly Workspace[]; readonly onTrusted: () => void },
): TrustClient {
  const { home, loaded } = settings;
  const instructionFiles = loaded.values.context.instruction_files;
  const decide = (cwd: string, answer: (asked: TrustRequest) => "trust" | "not-now"): ReturnType<typeof decideTrust> =>
    decideTrust({
      cwd,
      home,
      instructionFiles,
      once: false,
      ask: async (question) => answer(requestOf(question)),
      now: () => systemClock.now(),
    });
  const questions = async (): Promise<readonly Asked[]> => {
    const asked = new Map<string, Asked>();
    for (const { cwd } of workspaces()) {
      await decide(cwd, (request) => {
        asked.set(request.digest, { cwd, request });
        return "not-now";
      });
    }
    return [...asked.values()];
  };
  return {
    questions: async () => (await questions()).map(({ request }) => request),
    async answer({ folder, digest }, answer, identity) {
      requireRole("trust.answer", identity);
      const fits = (request: TrustRequest): boolean => request.folder === folder && request.digest === digest;
      const asked = (await questions()).find(({ request }) => fits(request));
      if (asked === undefined || answer === "not-now") return asked !== undefined;
      const { trusted } = await decide(asked.cwd, (request) => (fits(request) ? "trust" : "not-now"));
      if (trusted) onTrusted();
      return trusted;
    },
  };
}

interface Asked {
  /** The working directory for which it is asked. */
  readonly cwd: string;
  readonly request: TrustRequest;
}

function requestOf(question: TrustQuestion): TrustRequest {
  const { folder, why } = question;
  const files = question.read().map(({ name, class: className, sha256 }) => ({
    name,
    about: trustClasses.find((known) => known.name === className)?.about ?? "",
    sha256,
  }));
  const digest = createHash("sha256")
    .update(JSON.stringify([folder, why, files]))
    .digest("hex");
  return { folder, digest, why, files };
}

/** The skills that sessions of the workspace are offered, and those that only a user asks for. */
export async function listSkills({
  home,
  env,
  trust,
}: Pick<Settings, "home" | "env" | "trust">): Promise<readonly Skill[]> {
  return (await findSkills({ home, env, trust })).skills.map(({ skill }) => skill);
}
