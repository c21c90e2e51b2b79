import type { ListedModel } from "@capstan/host";
import { inertLine } from "@capstan/view";

const nameCharacters = 100;
const titles: readonly string[] = ["  model", "context", "output", "$/M in", "$/M out", "source"];

/** The models as aligned columns; `*` marks the one that runs when none is named. */
export function modelsTable(models: readonly ListedModel[], colors: boolean): string {
  const rows = models.map((model) => [
    `${model.isDefault ? "*" : " "} ${inertLine(`${model.provider}/${model.id}`, nameCharacters)}`,
    tokens(model.contextWindowTokens),
    tokens(model.maxOutputTokens),
    price(model.prices?.input),
    price(model.prices?.output),
    model.source,
  ]);
  const widths = titles.map((title, column) =>
    [title, ...rows.map((row) => row[column] ?? "")].reduce((width, cell) => Math.max(width, cell.length), 0),
  );
  const lines = rows.map((row, index) =>
    styled(aligned(row, widths), models[index]?.isDefault === true ? bold : "", colors),
  );
  return [styled(aligned(titles, widths), dim, colors), ...lines].join("\n");
}

const bold = "1";
const dim = "2";

function styled(line: string, style: string, colors: boolean): string {
  return colors && style !== "" ? `\u001B[${style}m${line}\u001B[0m` : line;
}

/** Words to the left, numbers to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string {
  const last = cells.length - 1;
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 || column === last ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join("  ").trimEnd();
}

/** `200k`, `1.05M`. */
function tokens(count: number | undefined): string {
  if (count === undefined) return "-";
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(2))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}

function price(usd: number | undefined): string {
  return usd === undefined ? "-" : String(Number(usd.toFixed(4)));
}
