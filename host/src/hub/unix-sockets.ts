import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionSockets } from "@capstan/hub";

/** A path of at most 107 bytes must do, however long an id is: the beginning of a hash names the session. */
const nameCharacters = 16;

/**
 * Sockets in a folder of the data directory. Whoever can open it is the same user of the system, may do everything unless it says otherwise,
 * and names the user that it speaks for. The code behind a socket loads with the first process that connects to it, or that this one connects to.
 * @param folder  absolute; made for its owner alone
 */
export function unixSockets(folder: string, version: string): SessionSockets {
  const pathOf = (id: string): string => {
    const name = createHash("sha256").update(id).digest("hex").slice(0, nameCharacters);
    return join(folder, `${name}.sock`);
  };
  return {
    async listen(id, engine, { frontend: owner }) {
      const { serveSocket } = await import("@capstan/socket");
      // A client that says nothing of itself is known by how it came.
      const identity = { frontend: "socket", role: "operate" } as const;
      return await serveSocket(pathOf(id), engine, { identity, owner, version });
    },
    isOffered: (id) =>
      lstat(pathOf(id)).then(
        () => true,
        () => false,
      ),
    async answers(id) {
      const { connectSocket } = await import("@capstan/socket");
      const engine = await connectSocket(pathOf(id)).catch(() => null);
      await engine?.close();
      return engine !== null;
    },
    async connect(id, { frontend, user }) {
      const { connectSocket } = await import("@capstan/socket");
      return await connectSocket(pathOf(id), { frontend, ...(user === undefined ? {} : { user }) });
    },
  };
}
