import { AppError } from "@capstan/protocol";
import { gaugeText, settingsText, type Status } from "@capstan/view";

/** What a status line may say beside what happens. */
export const statusItems = ["model", "mode", "sandbox", "context", "cost", "queued", "waiting", "folder"] as const;
export type StatusItem = (typeof statusItems)[number];

/** The items by their names, in the order in which they are shown. @throws AppError `config.invalid` for other names */
export function statusItemsOf(names: readonly string[]): readonly StatusItem[] {
  return names.map((name) => {
    const item = statusItems.find((known) => known === name);
    if (item !== undefined) return item;
    throw new AppError("config.invalid", `tui.status: there is no ${JSON.stringify(name)}`, {
      hint: `It takes ${statusItems.join(", ")}.`,
    });
  });
}

/** What an item says; empty where there is nothing to say. @param folder  the session's, as it is shown */
export function itemText(item: StatusItem, status: Status, folder: string): string {
  const { context, costUsd, queued, waiting } = status;
  switch (item) {
    case "model":
    case "mode":
    case "sandbox":
      return settingsText({ ...status, ...onlyOne(item) })[0] ?? "";
    case "context":
      return context === null || context.usedTokens === null ? "" : `ctx ${gaugeText(context)}`;
    case "cost":
      return costUsd === null || costUsd === 0 ? "" : `$${costUsd.toFixed(2)}`;
    case "queued":
      return queued === 0 ? "" : `${queued} queued`;
    case "waiting":
      return waiting === 0 ? "" : `${waiting} waiting`;
    case "folder":
      return folder;
  }
}

function onlyOne(item: "model" | "mode" | "sandbox"): Partial<Pick<Status, "model" | "mode" | "sandbox">> {
  return {
    ...(item === "model" ? {} : { model: null }),
    ...(item === "mode" ? {} : { mode: null }),
    ...(item === "sandbox" ? {} : { sandbox: null }),
  };
}
