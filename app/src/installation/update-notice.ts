import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getSecure } from "node:https";
import { join } from "node:path";

/** How often the registry is asked, in milliseconds. */
const askEveryMs = 24 * 60 * 60 * 1000;
/** Milliseconds after which an answer is no longer waited for. */
const answerLimitMs = 5000;
/** Bytes of an answer: a manifest of one version. */
const maxAnswerBytes = 262_144;
const registry = "https://registry.npmjs.org/capstan/latest";

export interface UpdateNoticeOptions {
  /** Capstan's data folder. */
  readonly home: string;
  /** The version that runs. */
  readonly version: string;
  /** ms since 1970. */
  readonly now: number;
  /** Where the newest version's manifest is. */
  readonly url?: string;
}

/**
 * What the last answer of the registry means for this version. When that is a day old, the registry is asked again meanwhile, for the
 * next time: nobody waits for it, the process may end before it answers, and no answer is as good as one.
 */
export function updateNotice(options: UpdateNoticeOptions): string | undefined {
  const known = readKnown(options.home);
  if (known === undefined || options.now - known.askedAt > askEveryMs || known.askedAt > options.now) ask(options);
  if (known === undefined || !isNewer(known.latest, options.version)) return undefined;
  return `capstan ${known.latest} is out (this is ${options.version}): npm install --global capstan`;
}

interface Known {
  readonly askedAt: number;
  readonly latest: string;
}

function readKnown(home: string): Known | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(home), "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const [askedAt, latest]: readonly unknown[] = [Reflect.get(value, "askedAt"), Reflect.get(value, "latest")];
    return typeof askedAt === "number" && typeof latest === "string" ? { askedAt, latest } : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever goes wrong on the way is nobody's concern: there is a next day. */
function ask({ home, version, now, url = registry }: UpdateNoticeOptions): void {
  try {
    // Asked today, whatever comes of it: without a network a run must not try each time.
    keep(home, { askedAt: now, latest: readKnown(home)?.latest ?? version });
    const get = url.startsWith("http:") ? getPlain : getSecure;
    const request = get(url, { headers: { accept: "application/json" }, timeout: answerLimitMs }, (response) =>
      read(response, (latest) => keep(home, { askedAt: now, latest })),
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => undefined);
    request.on("socket", (socket) => socket.unref());
  } catch {
    // No folder, no rights, no network: no notice.
  }
}

function read(response: IncomingMessage, found: (latest: string) => void): void {
  let text = "";
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    text += piece;
    if (text.length > maxAnswerBytes) response.destroy();
  });
  response.on("error", () => undefined);
  response.on("end", () => {
    try {
      const manifest: unknown = JSON.parse(text);
      const latest: unknown =
        typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
      if (response.statusCode === 200 && typeof latest === "string" && parts(latest) !== undefined) found(latest);
    } catch {
      // Not an answer of a registry.
    }
  });
}

/** As a whole or not at all: another process may write the same. */
function keep(home: string, known: Known): void {
  // Not with what is above it: Node's recursive way never ends in places such as /proc.
  if (!existsSync(home)) mkdirSync(home, { mode: 0o700 });
  const path = pathIn(home);
  const beside = `${path}.${process.pid}`;
  try {
    writeFileSync(beside, JSON.stringify(known), { mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function pathIn(home: string): string {
  return join(home, "newest-version.json");
}

/** Releases only: no notice names a version before it is one. */
export function isNewer(latest: string, own: string): boolean {
  const [there, here] = [parts(latest), parts(own)];
  if (there === undefined || here === undefined) return false;
  const at = there.findIndex((part, index) => part !== here[index]);
  return at !== -1 && (there[at] ?? 0) > (here[at] ?? 0);
}

function parts(version: string): readonly number[] | undefined {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? version.split(".").map(Number) : undefined;
}
