export { ownInstructionsNotice } from "./own-instructions-notice.ts";
export { workspaceContext, type WorkspaceContextOptions } from "./workspace-context.ts";
export { type NamedPack, withPacks } from "./with-packs.ts";
