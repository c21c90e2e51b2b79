import type { Compactors, ModelProvider, ProviderOptions } from "@capstan/ports";
import { httpCompactorName } from "@capstan/protocol";

/**
 * The compactors of a program, and the one behind an address. Its code loads when the first of them is asked.
 * @throws {AppError} `config.invalid` when the address is none
 */
export async function openCompactors(compactors: Compactors, http: ProviderOptions | null): Promise<ModelProvider> {
  const { createCompactorProvider } = await import("./compactor-provider.ts");
  if (http === null) return createCompactorProvider(compactors);
  const { createHttpCompactor } = await import("./http-compactor.ts");
  return createCompactorProvider({ ...compactors, [httpCompactorName]: createHttpCompactor(http) });
}
