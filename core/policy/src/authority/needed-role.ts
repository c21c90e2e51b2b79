import {
  canonicalJson,
  type ChangedSettings,
  type PermissionMode,
  permissionModes,
  type ResolvedSubmission,
  type Role,
  type SessionConfig,
  type TurnLimits,
  unreachable,
} from "@capstan/protocol";

/**
 * What a submission takes in a session with these settings; `null`: no client may do it, whatever its role is.
 * @param config  `null`: the session has none yet
 */
export function neededRole(submission: ResolvedSubmission, config: SessionConfig | null): Role | null {
  switch (submission.type) {
    case "user-input":
      return submission.delivery === "steer" ? "drive" : "ask";
    case "cancel":
    case "queue-change":
    case "title":
    case "compact":
    case "change-compaction":
    case "resume":
      return "drive";
    case "configure":
      return neededForSettings(submission.config, config);
    case "answer": {
      const { answer } = submission;
      if (answer.type === "approve" && answer.scope === "always") return "operate";
      return answer.type === "plan" && answer.mode === "auto" ? "operate" : "approve";
    }
    case "revoke-grant":
    case "settle-proposals":
    // The user's word is the command's approval.
    case "run-for-user":
      return "approve";
    case "rewind":
    case "unwind":
      return "operate";
    default:
      return unreachable(submission);
  }
}

/** Settings with `null` are set where the host starts, and by no client. */
const settings: Readonly<Record<keyof SessionConfig, Role | null>> = {
  mode: "drive",
  model: "drive",
  fallbacks: "drive",
  strategy: "drive",
  limits: "drive",
  onUnknown: "operate",
  compactor: null,
  policy: null,
  sandbox: null,
  askPolicy: null,
  interactionExpiryMs: null,
  retry: null,
  agent: null,
  systemPrompt: null,
  tools: null,
  hooks: null,
  place: null,
};

function neededForSettings(changed: ChangedSettings, config: SessionConfig | null): Role | null {
  if (config === null) return null;
  const before: Readonly<Record<string, unknown>> = { ...config };
  const after: Readonly<Record<string, unknown>> = { ...changed };
  const needs = Object.entries(settings).flatMap(([key, role]) =>
    key in after && canonicalJson(after[key] ?? null) !== canonicalJson(before[key] ?? null) ? [role] : [],
  );
  if (needs.includes(null)) return null;
  const isMore =
    (changed.mode !== undefined && isRaised(config.mode, changed.mode)) ||
    (changed.limits !== undefined && isLoosened(config.limits, changed.limits));
  return isMore || needs.includes("operate") ? "operate" : "drive";
}

function isRaised(from: PermissionMode, to: PermissionMode): boolean {
  return permissionModes.indexOf(to) > permissionModes.indexOf(from);
}

/** A limit that allows more than before, or none at all. */
function isLoosened(before: TurnLimits, after: Partial<TurnLimits>): boolean {
  const earlier = new Map<string, number | null>(Object.entries(before));
  return Object.entries(after).some(([name, bound]: [string, number | null]) => {
    const was = earlier.get(name);
    return was !== null && was !== undefined && (bound === null || bound > was);
  });
}
