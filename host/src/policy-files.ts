import { type PolicyFile, readPolicyFile as readFile, type ReadPolicyText } from "@capstan/settings";

/** Reads a policy file that a user names on the command line. @throws AppError `config.*` */
export async function readPolicyFile(name: string, cwd: string): Promise<PolicyFile> {
  return await readFile(name, { cwd, readYaml: readYamlPolicy });
}

/** A policy file in YAML is in Tether's form. The reader is loaded on first use. */
export const readYamlPolicy: ReadPolicyText = async (file, text, source) => {
  const { readTetherPolicy } = await import("./tether-policy.ts");
  return await readTetherPolicy(file, text, source);
};
