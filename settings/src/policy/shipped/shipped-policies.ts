import { defaultPolicy } from "./default-policy.ts";
import { permissivePolicy } from "./permissive-policy.ts";
import { strictPolicy } from "./strict-policy.ts";

/** Policy files that come with Capstan, as TOML, by the name they are asked for. */
export const shippedPolicies: ReadonlyMap<string, string> = new Map([
  ["default", defaultPolicy],
  ["strict", strictPolicy],
  ["permissive", permissivePolicy],
]);
