/** A tool's name without what some models put around it: a namespace in front, a channel mark behind. */
export function plainName(name: string): string {
  return name
    .trim()
    .replace(/<\|.*$/s, "")
    .replace(/^(?:(?:functions|function|tools|default_api|multi_tool_use|namespace)[.:/]+)+/, "");
}
