import { configJsonSchema, configReference } from "@capstan/host";
import { commandsPage } from "./commands-page.ts";
import { crashMatrixPage } from "./crash-matrix-page.ts";
import { dialectsPage } from "./dialects/dialects-page.ts";
import { errorsPage } from "./errors-page.ts";
import { everydayPage } from "./everyday/everyday-page.ts";
import { exitCodesPage } from "./exit-codes-page.ts";
import { jsonEventsPage } from "./json/json-events-page.ts";
import { governingNamesPage } from "./governing-names-page.ts";
import { hooksPage } from "./hooks/hooks-page.ts";
import { libraryPage } from "./library/library-page.ts";
import { operationsPage } from "./operations-page.ts";
import { providerFaultsPage } from "./provider-faults-page.ts";
import { recordsPage } from "./records-page.ts";
import { toolsPage } from "./tools-page.ts";

/** What `docs/reference/` holds, made from the code: content by file name. */
export async function referencePages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["crash-matrix.md", crashMatrixPage()],
    ["errors.md", errorsPage()],
    ["everyday.md", everydayPage()],
    ["exit-codes.md", exitCodesPage()],
    ["governing-names.md", governingNamesPage()],
    ["hooks.md", hooksPage()],
    ["json-events.md", jsonEventsPage(root)],
    ["library.md", libraryPage(root)],
    ["operations.md", operationsPage()],
    ["provider-faults.md", providerFaultsPage()],
    ["records.md", recordsPage()],
    ["config.md", configReference()],
    ["config.schema.json", `${JSON.stringify(configJsonSchema(), null, 2)}\n`],
    ["dialects.md", dialectsPage()],
    ["tools.md", await toolsPage(root)],
    ["commands.md", commandsPage()],
  ]);
}
