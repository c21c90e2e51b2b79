import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import type { Run } from "../stage/run-capstan.ts";
import { type OAuthServer, startOAuthServer } from "./oauth-server.ts";

const place = usePlace();

function configure(url: string): readonly string[] {
  place.write("../settings.toml", `[mcp_servers.docs]\nurl = "${url}"\n`);
  return ["--config", join(place.workspace, "../settings.toml")];
}

/** A login whose user opens the address that is shown. */
async function logIn(flags: readonly string[]): Promise<Run> {
  const running = place.start(["mcp", "login", "docs", ...flags]);
  let address = "";
  const shown = {
    test: (text: string): boolean => {
      address = /(http:\/\/127\.0\.0\.1\S+authorize\S+)\s/.exec(text)?.[1] ?? "";
      return address !== "";
    },
  };
  await running.stderrMatches(shown);
  const foreign = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
  foreign.searchParams.set("code", "guessed");
  expect((await fetch(foreign)).status).toBe(404);
  expect(await (await fetch(address)).text()).toContain("You can close this window");
  return await running.ended;
}

function secretsOf({ tokens }: OAuthServer): RegExp {
  return new RegExp([...tokens, "refresh-"].join("|"));
}

test("a user logs in once, every later process is let in, an old token is renewed, and nothing of it is shown", async () => {
  const server = await startOAuthServer();
  const flags = configure(server.url);
  const before = await place.run(["mcp", "test", "docs", ...flags]);
  expect(before.code).toBe(1);
  expect(before.stdout).toContain("it wants you to log in: capstan mcp login docs");
  const login = await logIn(flags);
  expect({ code: login.code, stdout: login.stdout }).toEqual({
    code: 0,
    stdout: "Logged in to docs. Try it: capstan mcp test docs\n",
  });
  expect(server.registered).toMatchObject([{ client_name: "Capstan", token_endpoint_auth_method: "none" }]);
  const first = await place.run(["mcp", "test", "docs", ...flags]);
  server.expire();
  const second = await place.run(["mcp", "test", "docs", ...flags]);
  for (const run of [first, second]) {
    expect(run.stdout).toContain("mcp__docs__greet  Greets.");
    expect(run.code).toBe(0);
  }
  expect(server.tokens).toHaveLength(2);
  const folder = join(place.data, "mcp-logins");
  const [file = ""] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, file), "utf8")).toContain(server.tokens[1]);
  const shown = await place.run(["mcp", "get", "docs", ...flags]);
  for (const run of [login, first, second, shown]) expect(run.stdout + run.stderr).not.toMatch(secretsOf(server));
});

slowTest(
  "a login follows what the server's refusal says: where its metadata lie, and what it wants to be asked for",
  async () => {
    const server = await startOAuthServer({ path: "/tenants/one/metadata", scope: "notes:read" });
    const flags = configure(server.url);
    expect((await logIn(flags)).code).toBe(0);
    for (const _ of [1, 2]) expect((await place.run(["mcp", "test", "docs", ...flags])).code).toBe(0);
  },
);

slowTest("a login counts at the address it was made for and nowhere else, until its user logs out", async () => {
  const [server, other] = [await startOAuthServer(), await startOAuthServer()];
  await logIn(configure(server.url));
  expect((await place.run(["mcp", "test", "docs", ...configure(other.url)])).stdout).toContain(
    "it wants you to log in",
  );
  const flags = configure(server.url);
  expect((await place.run(["mcp", "logout", "docs", ...flags])).code).toBe(0);
  expect((await place.run(["mcp", "test", "docs", ...flags])).stdout).toContain("it wants you to log in");
  const again = await place.run(["mcp", "logout", "docs", ...flags]);
  expect([again.code, again.stdout]).toEqual([1, "There is no login to docs.\n"]);
});

slowTest("a program has no login, and a server that cannot be reached says so", async () => {
  place.write(
    "../settings.toml",
    `[mcp_servers.docs]\ncommand = "x"\n\n[mcp_servers.gone]\nurl = "http://127.0.0.1:9/mcp"\n`,
  );
  const flags = ["--config", join(place.workspace, "../settings.toml")];
  const program = await place.run(["mcp", "login", "docs", ...flags]);
  expect(program.stderr).toContain("the login to docs failed: docs is a program: there is nothing to log in to");
  const gone = await place.run(["mcp", "login", "gone", ...flags]);
  expect(gone.stderr).toContain("the login to gone failed");
  expect([program.code, gone.code].every((code) => code !== 0)).toBe(true);
});

slowTest(
  "a name and a password are sent to the server, added from the command line, and half of them is refused by key",
  async () => {
    const server = await startOAuthServer();
    server.allow(`Basic ${Buffer.from("me:open sesame").toString("base64")}`);
    const basic = ["--basic-user", "me", "--basic-password-env", "DOCS_PASSWORD"];
    await place.run(["mcp", "add", "docs", "--url", server.url, ...basic]);
    const env = { DOCS_PASSWORD: "open sesame" };
    const run = await place.run(["mcp", "test", "docs"], { env });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("mcp__docs__greet")]);
    const unset = await place.run(["mcp", "test", "docs"]);
    expect(unset.stderr).toContain("basic_password_env: the variable DOCS_PASSWORD is not set");
    const wrong = await place.run(["mcp", "test", "docs"], { env: { DOCS_PASSWORD: "other" } });
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.not.stringContaining("other")]);
    await place.run(["mcp", "add", "half", "--url", server.url, "--basic-user", "me"]);
    expect((await place.run(["mcp", "test", "half"])).stderr).toContain("set both basic_user and basic_password_env");
  },
);
