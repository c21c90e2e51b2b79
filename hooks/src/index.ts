export type { HookPlaces } from "./find/hook-places.ts";
export type { FoundHook, FoundHooks, HookNotice, HookWork } from "./found-hook.ts";
export { joinHooks, type RunHooks } from "./join-hooks.ts";
export { findHooks, type HookSurroundings, type OpenedHooks, openHooks } from "./open-hooks.ts";
