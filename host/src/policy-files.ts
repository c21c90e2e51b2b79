import type { ReadPolicyText } from "@capstan/settings";

/** A policy file in YAML is in Tether's form. The reader is loaded on first use. */
export const readYamlPolicy: ReadPolicyText = async (file, text, source) => {
  const { readTetherPolicy } = await import("./tether-policy.ts");
  return await readTetherPolicy(file, text, source);
};
