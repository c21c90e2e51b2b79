import type { FoundFiles, Workspace } from "@capstan/protocol";

/** Looks for files of a workspace by letters of their paths, as `SessionClient.findFiles` says. */
export type FindFiles = (workspace: Workspace, text: string, limit: number) => Promise<FoundFiles>;
