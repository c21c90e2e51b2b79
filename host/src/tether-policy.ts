/** What a run with a policy file in Tether's form needs of the importers. Imported dynamically by the package's name, they would all be loaded. */
export { readTetherPolicy } from "@capstan/importers";
