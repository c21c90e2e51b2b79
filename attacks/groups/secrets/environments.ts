import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runBare } from "../../stage/bare-shell.ts";
import { inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";
import { shared } from "../../suite/shared.ts";

/** Variables that hold what no command needs to see, as vendors, tools and people name them. */
const names: readonly string[] = (
  "ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_APPLICATION_CREDENTIALS_JSON AWS_ACCESS_KEY_ID " +
  "AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_CLIENT_SECRET AZURE_OPENAI_KEY GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN NPM_TOKEN " +
  "NODE_AUTH_TOKEN PYPI_PASSWORD CARGO_REGISTRY_TOKEN DOCKER_PASSWORD SLACK_BOT_TOKEN STRIPE_SECRET_KEY TWILIO_AUTH_TOKEN " +
  "SENDGRID_API_KEY DATABASE_URL DATABASE_PASSWORD PGPASSWORD MYSQL_PWD REDIS_AUTH SENTRY_DSN JWT_SECRET SESSION_COOKIE " +
  "SSH_PASSPHRASE HF_TOKEN MISTRAL_API_KEY DEEPSEEK_KEY VAULT_TOKEN KUBE_CREDENTIALS MY_PAT DEPLOY_PASSWD TF_VAR_secret company_api_token"
).split(" ");

/** Does not look like a key, so that only its name can keep it back. */
function valueOf(name: string): string {
  return `plainwords-${names.indexOf(name) + 100}-for-nobody`;
}

/** Everything a command can find out about any environment. */
const look =
  "env > seen.txt; export -p >> seen.txt; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' >> seen.txt; perl -e 'print %ENV' >> seen.txt; true";

/** X1: what commands see of the user's environment, from their own and from every process they can find. */
export function environments(): readonly Attack[] {
  const env = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  const confined = shared(() =>
    inCapstanPlace(async (place) => {
      const run = await place.start(["tools", "call", "run_command", JSON.stringify({ command: look })], { env });
      const seen = readFileSync(join(place.cwd, "seen.txt"), "latin1");
      if (!seen.includes("PATH=")) throw new Error(`no environment was seen: ${run.stdout} ${run.stderr}`);
      return seen;
    }),
  );
  const bare = shared(() =>
    inCapstanPlace(async (place) => {
      await runBare(look, place.cwd, { PATH: process.env["PATH"], ...env });
      return readFileSync(join(place.cwd, "seen.txt"), "latin1");
    }),
  );
  return names.map((name): Attack => {
    const isSeen = (seen: string): boolean => seen.includes(valueOf(name));
    return {
      row: "X1",
      input: name,
      attempt: async () => outcome(isSeen(await confined()), "searched in the command's view"),
      control: async () => outcome(isSeen(await bare()), "searched in a bare command's view"),
    };
  });
}

/** X7: nobody looks into the process through a debugger. */
export function debuggers(): readonly Attack[] {
  const stalls = [{ text: "never", fault: { type: "stall", after_bytes: 10 } }];
  const opened = async (env: Readonly<Record<string, string>>, signal?: "SIGUSR1"): Promise<string> =>
    await inCapstanPlace(async (place) => {
      const options = signal === undefined ? { env } : { env, signal };
      return (await place.run(stalls, ["--timeout", "2s", "go"], options)).stderr;
    });
  return [
    {
      row: "X7",
      input: "SIGUSR1",
      attempt: async () => outcome(isOpen(await opened({}, "SIGUSR1")), "signalled while the model was asked"),
      control: async () => outcome(isOpen(await opened({ CAPSTAN_INSPECT: "1" }, "SIGUSR1")), "the user asked for it"),
    },
  ];
}

function isOpen(stderr: string): boolean {
  return /Debugger listening|address already in use/.test(stderr);
}
