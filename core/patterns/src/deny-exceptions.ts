/**
 * Names that a usual pattern means nothing by: examples that are published with every repository, and the public halves of keys. Who wants
 * them protected writes a pattern that names them.
 */
export const denyExceptions: ReadonlyMap<string, string> = new Map([
  ["**/.env.*", "**/.env.{example,sample,template,dist}"],
  ["**/id_rsa*", "**/id_rsa*.pub"],
  ["**/id_ed25519*", "**/id_ed25519*.pub"],
  ["**/id_ecdsa*", "**/id_ecdsa*.pub"],
]);
