import type { ModelProvider } from "@capstan/ports";

/** A provider from outside, spoken to through the port alone. */
export interface ExternalProvider {
  /** What its messages are marked with: only the same wire of the same provider sees again what only it understands. */
  readonly wire: string;
  /** Called once, when it is first asked. */
  create(): ModelProvider | Promise<ModelProvider>;
}

/** By the name that models bear before the slash; one of a name that Capstan knows takes its place. */
export type ExternalProviders = Readonly<Record<string, ExternalProvider>>;
