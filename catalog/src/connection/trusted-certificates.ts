import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "@capstan/protocol";
import type { Environment } from "../resolve-provider.ts";

/**
 * The certificate authorities to trust besides the usual ones, PEM; `undefined`: none. Node adds those of NODE_EXTRA_CA_CERTS
 * only where no others are named, so they are named along.
 * @param file  `network.ca_file`
 * @throws {AppError} `config.unreadable`
 */
export async function trustedCertificates(file: string | null, env: Environment): Promise<string | undefined> {
  if (file === null || file === "") return undefined;
  const own = await readCertificates(file);
  const extra = env["NODE_EXTRA_CA_CERTS"] ?? "";
  // One that cannot be read is a warning of Node's own, and no error.
  const others = extra === "" || extra === file ? "" : await readFile(extra, "utf8").catch(() => "");
  return others === "" ? own : `${own.trimEnd()}\n${others}`;
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AppError("config.unreadable", `network.ca_file cannot be read: ${messageOf(error)}`, {
      cause: error,
      hint: "Set network.ca_file, or the variable SSL_CERT_FILE where it comes from, to a PEM file.",
    });
  }
}
