import type { ConfigPath } from "./capstan-config.ts";
import { boolean, type ConfigKey, number, string, stringList } from "./config-key.ts";

/** Keys about language servers. Only the user's own: a program that is started is code. */
export const languageServerKeys: Readonly<Record<Extract<ConfigPath, `language_servers.${string}`>, ConfigKey>> = {
  "language_servers.*.enabled": { type: boolean, default: true, about: "Whether the server is used." },
  "language_servers.*.command": {
    type: string,
    default: null,
    about: "The program that is the server, by a name on the `PATH` or an absolute path; it runs in the sandbox.",
    example: "typescript-language-server",
  },
  "language_servers.*.args": { type: stringList, default: [], about: "Its arguments.", example: ["--stdio"] },
  "language_servers.*.extensions": {
    type: stringList,
    default: [],
    about: "The endings of the files that it is asked about.",
    example: [".ts", ".tsx"],
  },
  "language_servers.*.language": {
    type: string,
    default: null,
    about: "What the protocol calls their language; without it what their ending says.",
    example: "typescript",
  },
  "language_servers.*.env.*": {
    type: string,
    default: null,
    about: "A variable of its environment; of the user's own it sees the `PATH` alone.",
    example: "en",
    secret: "whole",
  },
  "language_servers.*.startup_timeout": {
    type: number(0.1, 600),
    default: 30,
    about: "Seconds until the server must have answered; it is ended then.",
  },
};
