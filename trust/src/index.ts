export { decideTrust } from "./decide-trust.ts";
export { instructionNames, localNames } from "./instruction-names.ts";
export { maxTrustFileBytes } from "./limits.ts";
export { type AddedTrust, type TrustedFolder, addTrust, revokeTrust, trustedFolders } from "./user-trust.ts";
export { trustClasses } from "./trust-classes.ts";
export { differenceText, placeText } from "./trust-notices.ts";
export {
  type TrustAnswer,
  type TrustNotice,
  type TrustQuestion,
  type WorkspaceTrust,
  isApproved,
} from "./workspace-trust.ts";
