/** Whether a page that moves stays with the host that was allowed: the same host and port, or its secure one. */
export function staysAt(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isSecured = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
  return isSecured && from.hostname === to.hostname;
}
