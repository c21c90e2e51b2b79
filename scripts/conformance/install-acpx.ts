import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Node that `acpx` runs on, and its entry. */
export interface Acpx {
  readonly node: string;
  readonly entry: string;
}

const versions = { acpx: "0.19.1", node: "22.23.3" };
/** The first version of Node that it runs on. */
const needed = [22, 13] as const;

/** Installs it into a folder of its own, with a Node of its own where this one is too old. @returns why it cannot be had */
export function installAcpx(): Acpx | string {
  const folder = join(tmpdir(), `capstan-acpx-${versions.acpx}`);
  const entry = join(folder, "node_modules", "acpx", "dist", "cli.js");
  const own = ownNode();
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const node = own ?? join(folder, "node_modules", nodePackage, "bin", "node");
  if (existsSync(entry) && existsSync(node)) return { node, entry };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const packages = [`acpx@${versions.acpx}`, ...(own === undefined ? [`${nodePackage}@${versions.node}`] : [])];
  const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--engine-strict=false"];
  const { status, stderr } = spawnSync("npm", [...flags, ...packages], { cwd: folder, encoding: "utf8" });
  if (status === 0 && existsSync(entry) && existsSync(node)) return { node, entry };
  return `it cannot be installed: ${stderr.trim().split("\n").at(-1) ?? "npm failed"}`;
}

function ownNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]) ? process.execPath : undefined;
}
