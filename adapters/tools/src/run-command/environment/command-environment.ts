import type { Confinement } from "@capstan/protocol";

type Environment = Readonly<Record<string, string>>;

/**
 * What a command finds in its environment where the user has said nothing else: nobody sits in front of it. No editor is opened, and the text
 * that was to be edited is taken as it is; nothing is shown page by page; nothing is asked at a terminal. No program looks for a newer one
 * of itself: for that alone, `npm test` would ask the user to open a host.
 */
const unattended: Environment = {
  TERM: "dumb",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  PIP_NO_INPUT: "1",
  npm_config_update_notifier: "false",
  NO_UPDATE_NOTIFIER: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
};

/** With these, package managers fail at once and name the host; without them, they ask again and again for a minute. */
const withoutRetries: Environment = {
  npm_config_fetch_retries: "0",
  YARN_HTTP_RETRY: "0",
  PIP_RETRIES: "0",
  UV_HTTP_RETRIES: "0",
  CARGO_NET_RETRY: "0",
  BUNDLE_RETRY: "0",
};

/** @param environment  what the user's own gives to commands; it wins */
export function commandEnvironment(environment: Environment, confinement: Confinement): Environment {
  const hasNetwork = confinement.type !== "sandbox" || confinement.hosts.length > 0;
  return { ...unattended, ...(hasNetwork ? {} : withoutRetries), ...environment };
}
