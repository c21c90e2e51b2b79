import {
  type MatrixCell,
  type MatrixFault,
  type MatrixTest,
  matrixOutcomes,
  matrixPhases,
} from "./crash-matrix-cell.ts";
import { matrixFaults } from "./crash-matrix-rows.ts";
import { markdownTable } from "./markdown-table.ts";

export function crashMatrixPage(): string {
  const sections = Object.entries(matrixFaults).map(
    ([title, faults]) => `## ${title}\n\n${faults.map((fault) => faultText(fault)).join("\n")}`,
  );
  const cells = Object.values(matrixFaults).flatMap((faults) => faults.flatMap((fault) => Object.values(fault.cells)));
  const shown = cells.filter(({ type }) => type === "shown").length;
  return `# What happens when something breaks

Every fault in every phase of a turn in which it can strike, with what is promised and the test that shows it: ${cells.length} cells, ${shown} shown,
${cells.length - shown} of things that are not built yet. A test that goes through several cases names the one that counts after its title. The tests of \`test/crash-matrix\` recognise
the phase by what is in the journal. Tests that need strace or a disk of their own are left out where that is not allowed.

The phases:

${markdownTable(["phase", "when"], Object.entries(matrixPhases))}

What is promised (\`x+y\`: both; \`x/y\`: as the case may be). Whatever the cell: no effect happens twice by itself, nothing acknowledged is lost, and the next
request is one that the vendor takes.

${markdownTable(["code", "promise"], Object.entries(matrixOutcomes))}

${sections.join("\n")}`;
}

function faultText({ fault, note, cells }: MatrixFault): string {
  const rows = Object.entries(cells).map(([phase, cell]) => [phase, ...cellTexts(cell)]);
  const remark = note === undefined ? "" : `${note}\n\n`;
  return `### ${fault}\n\n${remark}${markdownTable(["phase", "promise", "shown by"], rows)}`;
}

function cellTexts(cell: MatrixCell): readonly string[] {
  return cell.type === "shown"
    ? [cell.outcome, cell.tests.map((test) => testText(test)).join(" · ")]
    : ["–", `not built yet: ${cell.missing}`];
}

function testText({ file, title, of = [] }: MatrixTest): string {
  const cases = of.length === 0 ? "" : ` (${of.join(", ")})`;
  return `[${title}](../../${file})${cases}`;
}
