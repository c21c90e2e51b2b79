import { AppError, type JsonObject } from "@capstan/protocol";

/** Flags of `capstan mcp add`. */
export interface AddFlags {
  readonly url?: string;
  readonly bearerTokenEnv?: string;
  readonly basicUser?: string;
  readonly basicPasswordEnv?: string;
  readonly transport?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly directory?: string;
  readonly host?: readonly string[];
  readonly writes?: boolean;
  readonly json?: boolean;
}

/** What the flags mean as keys of `[mcp_servers.NAME]`. @throws AppError `usage.invalid` */
export function serverValues([command, ...args]: readonly string[], flags: AddFlags): JsonObject {
  const { url, bearerTokenEnv, basicUser, basicPasswordEnv, transport, header, env, directory, host, writes } = flags;
  if ((command === undefined) === (url === undefined))
    throw new AppError("usage.invalid", "name either a program, after --, or an address with --url", {
      hint: "Try: capstan mcp add NAME -- PROGRAM",
    });
  const ofAddresses = { bearerTokenEnv, basicUser, basicPasswordEnv, transport, header };
  const foreign = url === undefined ? ofAddresses : { env, directory, host, writes };
  const wrong = Object.entries(foreign).find(([, value]) => value !== undefined);
  if (wrong !== undefined) {
    const flag = `--${wrong[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new AppError("usage.invalid", `${flag} is for ${url === undefined ? "an address" : "a program"}`);
  }
  if (url !== undefined) return addressValues(url, flags);
  return {
    command: command ?? "",
    ...(args.length === 0 ? {} : { args }),
    ...(env === undefined ? {} : { env: pairs("--env", "=", env) }),
    ...(directory === undefined ? {} : { cwd: directory }),
    ...(host === undefined ? {} : { hosts: [...host] }),
    ...(writes === true ? { writes } : {}),
  };
}

function addressValues(url: string, flags: AddFlags): JsonObject {
  const { bearerTokenEnv, basicUser, basicPasswordEnv, transport, header } = flags;
  return {
    url,
    ...(header === undefined ? {} : { headers: pairs("--header", ":", header) }),
    ...(bearerTokenEnv === undefined ? {} : { bearer_token_env: bearerTokenEnv }),
    ...(basicUser === undefined ? {} : { basic_user: basicUser }),
    ...(basicPasswordEnv === undefined ? {} : { basic_password_env: basicPasswordEnv }),
    ...(transport === undefined ? {} : { transport }),
  };
}

function pairs(flag: string, separator: string, texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      const name = text.slice(0, Math.max(at, 0)).trim();
      // The value may be a secret: only what stands before it is repeated.
      if (!/^[\w-]+$/.test(name))
        throw new AppError("usage.invalid", `${flag} takes NAME${separator}VALUE, with letters, digits, "_" and "-"`);
      return [name, text.slice(at + 1).trim()];
    }),
  );
}
