import type { PermissionMode, Policy } from "@capstan/protocol";

/**
 * The mode by which a call is prepared. Whoever lets changes in the workspace pass unasked (`--yolo`, permissive approval) has given
 * the permission that `default` waits for, so that commands get what they get in `accept-edits`.
 */
export function modeForTools(mode: PermissionMode, { yolo, approval }: Policy): PermissionMode {
  return mode === "default" && (yolo || approval === "permissive") ? "accept-edits" : mode;
}
