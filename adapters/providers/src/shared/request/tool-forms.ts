import type { ToolDefinition } from "@capstan/protocol";

/**
 * Makes once what a wire says of a tool: tools stay the same objects from request to request, and a session has a request for each step.
 * @param make  pure; what it made is shared, and nobody changes it
 */
export function madeOnce<Form>(
  make: (tool: ToolDefinition, variant: boolean) => Form,
): (tool: ToolDefinition, variant: boolean) => Form {
  const known = new WeakMap<ToolDefinition, { readonly variant: boolean; readonly form: Form }>();
  return (tool, variant) => {
    const kept = known.get(tool);
    if (kept?.variant === variant) return kept.form;
    const form = make(tool, variant);
    known.set(tool, { variant, form });
    return form;
  };
}
