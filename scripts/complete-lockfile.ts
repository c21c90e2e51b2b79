/**
 * To be run after `npm install` changed package-lock.json: adds the platform packages that the registry in use does not have. `npm install`
 * leaves them out, and `npm ci` then refuses the lockfile, though no machine that lacks them wants them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completePackages, type Lockfile } from "./lockfile/complete-packages.ts";

const path = join(import.meta.dirname, "..", "package-lock.json");
const lockfile: Lockfile = JSON.parse(readFileSync(path, "utf8"));
const packages = completePackages(lockfile.packages);
writeFileSync(path, `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`);

const added = Object.keys(packages).length - Object.keys(lockfile.packages).length;
process.stdout.write(`package-lock.json: ${added} platform packages added\n`);
