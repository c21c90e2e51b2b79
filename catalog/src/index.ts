export { builtInProviders } from "./built-in-providers.ts";
export { type ChosenModel, chooseFallbacks, chooseModel, chosenName, modelWithoutEffort } from "./choose-model.ts";
export type { ExternalProvider, ExternalProviders } from "./external-provider.ts";
export { type ListOptions, type ListedModel, type ModelList, listModels } from "./list-models.ts";
export { connectionOptions, makeProvider } from "./make-provider.ts";
export { catalogFor } from "./model-catalog.ts";
export { modelMeant } from "./names/model-names.ts";
export { type RefreshReport, refreshCatalog } from "./refresh-catalog.ts";
export { providersWithKeys, requireKey, resolveProvider } from "./resolve-provider.ts";
