import { AppError, type SessionConfig, type SettingsPatch } from "@capstan/protocol";

/** Settings that were said for this run. */
export interface GivenSettings {
  readonly patch: SettingsPatch;
  /** Flags and keys that forbid something, and that only the process which has the session can set. */
  readonly fixed: readonly string[];
  /** Others of which only that process's own hold. */
  readonly ignored: readonly string[];
}

/** What forbids something is not ignored. @throws AppError `usage.invalid` */
export function requireChangeable({ fixed }: Pick<GivenSettings, "fixed">): void {
  if (fixed.length === 0) return;
  throw new AppError(
    "usage.invalid",
    `${fixed.join(", ")}: another process has the session open, and sets this for it`,
    {
      hint: "Leave it out, wait until that process ends, or continue in a copy with --fork-session.",
    },
  );
}

/** What a patch says otherwise than the session has it; `null`: nothing. */
export function changedBy(patch: SettingsPatch, config: SessionConfig): SettingsPatch | null {
  const { mode, strategy, model, limits, personas } = patch;
  const otherLimits = Object.entries(limits ?? {}).filter(
    ([limit, value]) => Object.entries(config.limits).find(([name]) => name === limit)?.[1] !== value,
  );
  const changed: SettingsPatch = {
    ...(mode === undefined || mode === config.mode ? {} : { mode }),
    ...(strategy === undefined || strategy === config.strategy ? {} : { strategy }),
    ...(model === undefined || model === `${config.model.provider}/${config.model.id}` ? {} : { model }),
    ...(otherLimits.length === 0 ? {} : { limits: Object.fromEntries(otherLimits) }),
    ...(personas === undefined ? {} : { personas }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}
