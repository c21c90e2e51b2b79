/**
 * `npm run pictures`: draws golden screens of the terminal UI for the documents; a test compares them. `-- --png FOLDER` draws them there
 * as PNG, too, with librsvg or chromium where one of them is installed: what they look like depends on the fonts of the machine.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { pictures } from "./screens/pictures.ts";

const folder = join(import.meta.dirname, "..", "docs", "pictures");
const drawn = await pictures();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, svg] of drawn) writeFileSync(join(folder, name), svg);
process.stdout.write(`${folder}: ${[...drawn.keys()].join(", ")}\n`);

const { png } = parseArgs({ options: { png: { type: "string" } } }).values;
if (png !== undefined) {
  mkdirSync(png, { recursive: true });
  for (const [name, svg] of drawn) drawPng(join(folder, name), sizeOf(svg), resolve(png, name.replace(/svg$/, "png")));
  process.stdout.write(`${resolve(png)}: ${drawn.size} pictures\n`);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws when neither program is installed */
function drawPng(svg: string, { width, height }: Size, file: string): void {
  const chromium = ["--headless", "--no-sandbox", "--hide-scrollbars", `--window-size=${width},${height}`];
  const ways = [
    ["rsvg-convert", "--zoom", "2", "--output", file, svg],
    ["chromium", ...chromium, "--force-device-scale-factor=2", `--screenshot=${file}`, pathToFileURL(svg).href],
  ];
  const worked = ways.some(([program = "", ...args]) => isRun(program, args));
  if (!worked) throw new Error("no PNG: neither rsvg-convert (librsvg2-bin) nor chromium is installed");
}

/** @returns false when it is not installed @throws when it fails */
function isRun(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

function sizeOf(svg: string): Size {
  const [, width = "800", height = "600"] = /^<svg[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return { width: Math.ceil(Number(width)), height: Math.ceil(Number(height)) };
}
