import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/** A registry on loopback that has one package, and notes what is asked for. */
export interface Registry {
  readonly url: string;
  readonly asked: readonly string[];
  close(): void;
}

/** @param folder  empty; the package is made in it */
export async function startRegistry(folder: string): Promise<Registry> {
  const tarball = packGreet(folder);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? "");
    const own = `http://${request.headers.host ?? ""}`;
    if (request.url === "/greet") answer.end(JSON.stringify(metadata(`${own}/greet/-/greet-1.2.3.tgz`, integrity)));
    else if (request.url === "/greet/-/greet-1.2.3.tgz") answer.end(tarball);
    else answer.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the registry has no port");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/`, asked, close };
}

function packGreet(folder: string): Uint8Array {
  mkdirSync(join(folder, "package"), { recursive: true });
  const manifest = { name: "greet", version: "1.2.3", bin: { greet: "cli.js" } };
  writeFileSync(join(folder, "package", "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package", "cli.js"), "#!/usr/bin/env node\nconsole.log('hello from greet');\n", {
    mode: 0o755,
  });
  execFileSync("tar", ["-czf", "greet.tgz", "package"], { cwd: folder });
  return readFileSync(join(folder, "greet.tgz"));
}

function metadata(tarball: string, integrity: string): object {
  const version = { name: "greet", version: "1.2.3", bin: { greet: "cli.js" }, dist: { tarball, integrity } };
  return { name: "greet", "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": version } };
}
