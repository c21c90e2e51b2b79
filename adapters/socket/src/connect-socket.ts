import type { NamedClient, RemoteEngine } from "@capstan/remote";

/**
 * Joins the process that listens on a socket. What it takes to speak with it loads now: most processes join nobody.
 * @param named  what this client says of itself
 * @throws AppError `remote.unreachable` when nobody answers there; `door.role`
 */
export async function connectSocket(path: string, named: NamedClient = {}): Promise<RemoteEngine> {
  const { joinSocket } = await import("./socket-lines.ts");
  return await joinSocket(path, named);
}
