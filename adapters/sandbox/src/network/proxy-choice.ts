import type { HostPlace } from "@capstan/ports";

/** The address of the user's own proxy, through which a place is reached; `undefined`: directly. */
export type ProxyChoice = (place: HostPlace) => Promise<string | undefined>;
