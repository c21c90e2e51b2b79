import { open } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** Text with placeholders, as a user configured it. */
export interface Template {
  /** Where it stands: absolute, or relative to the data directory. */
  readonly file: string | null;
  /** In place of a file. */
  readonly text: string | null;
  /** The template into which it is put, where that says `{{ body }}`. */
  readonly layout: string | null;
  readonly variables: Readonly<Record<string, string>>;
}

export interface TemplatePlace {
  readonly templates: Readonly<Record<string, Template>>;
  /** The data directory. */
  readonly home: string;
  /** What every template knows. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limitBytes: number;
}

/** Layouts around layouts; a circle of them ends here. */
const maxLayouts = 4;

/**
 * A template with its values, in its layout. A placeholder that nobody has a value for stays as it is: it may be an example. Values are
 * never read for placeholders of their own.
 * @throws Error that says what is wrong
 */
export async function renderTemplate(name: string, place: TemplatePlace): Promise<string> {
  let variables = place.variables;
  let body: string | undefined;
  let next: string | null = name;
  for (let layouts = 0; next !== null; layouts += 1) {
    if (layouts > maxLayouts) throw new Error(`more than ${maxLayouts} layouts stand around it`);
    const template: Template | undefined = Object.hasOwn(place.templates, next) ? place.templates[next] : undefined;
    if (template === undefined) throw new Error(`there is no [templates.${next}]`);
    // What the innermost says counts: a layout has values for those who bring none.
    variables = { ...template.variables, ...variables };
    body = filled(await textOf(template, place), body === undefined ? variables : { ...variables, body });
    if (Buffer.byteLength(body) > place.limitBytes) throw new Error(`it has more than ${place.limitBytes} bytes`);
    next = template.layout;
  }
  return body ?? "";
}

async function textOf({ file, text }: Template, { home, limitBytes }: TemplatePlace): Promise<string> {
  if (text !== null) return text;
  if (file === null) throw new Error("it has neither text nor file");
  const opened = await open(isAbsolute(file) ? file : join(home, file));
  try {
    if ((await opened.stat()).size > limitBytes) throw new Error(`its file has more than ${limitBytes} bytes`);
    return await opened.readFile("utf8");
  } finally {
    await opened.close();
  }
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
