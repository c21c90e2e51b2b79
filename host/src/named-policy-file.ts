import { type PolicyFile, readPolicyFile as readFile } from "@capstan/settings";
import { readYamlPolicy } from "./policy-files.ts";

/** Reads a policy file that a user names on the command line. @throws AppError `config.*` */
export async function readPolicyFile(name: string, cwd: string): Promise<PolicyFile> {
  return await readFile(name, { cwd, readYaml: readYamlPolicy });
}
