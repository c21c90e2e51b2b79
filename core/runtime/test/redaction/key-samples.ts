import * as fc from "fast-check";

const alnum = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
const word = [...alnum, "_", "-"];
const hex = Array.from("0123456789abcdef");
const upper = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
const base64 = [...alnum, "+", "/"];

function run(alphabet: readonly string[], length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((characters) => characters.join(""));
}

function key(prefix: string, alphabet: readonly string[], length: number): fc.Arbitrary<string> {
  return run(alphabet, length).map((rest) => prefix + rest);
}

function joined(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const arbitraries = parts.map((part) => (typeof part === "string" ? fc.constant(part) : part));
  return fc.tuple(...arbitraries).map((texts) => texts.join(""));
}

/** Keys as vendors make them, made again for every run: prefix, alphabet and length of the real ones. */
export const keySamples: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Anthropic: key("sk-ant-api03-", word, 95),
  "OpenAI, old": joined(
    run(alnum, 20).map((rest) => `sk-${rest}`),
    "T3BlbkFJ",
    run(alnum, 20),
  ),
  "OpenAI project": key("sk-proj-", word, 120),
  "OpenAI service account": key("sk-svcacct-", word, 120),
  OpenRouter: key("sk-or-v1-", hex, 64),
  DeepSeek: key("sk-", hex, 32),
  "Google API": key("AIzaSy", word, 33),
  "Google OAuth": key("ya29.", word, 120),
  "Google client": key("GOCSPX-", word, 28),
  GitHub: key("ghp_", alnum, 36),
  "GitHub OAuth": key("gho_", alnum, 36),
  "GitHub user": key("ghu_", alnum, 36),
  "GitHub server": key("ghs_", alnum, 36),
  "GitHub refresh": key("ghr_", alnum, 76),
  "GitHub fine-grained": joined(key("github_pat_", alnum, 22), "_", run(alnum, 59)),
  GitLab: key("glpat-", word, 20),
  "GitLab runner": key("glrt-", word, 20),
  "Slack bot": joined(
    "xoxb-",
    run(Array.from("0123456789"), 12),
    "-",
    run(Array.from("0123456789"), 12),
    "-",
    run(alnum, 24),
  ),
  "Slack app": joined("xapp-1-A", run(upper, 10), "-", run(Array.from("0123456789"), 13), "-", run(hex, 64)),
  "Slack hook": joined("https://hooks.slack.com/services/T", run(upper, 8), "/B", run(upper, 8), "/", run(alnum, 24)),
  AWS: key("AKIA", upper, 16),
  "AWS session": key("ASIA", upper, 16),
  "AWS secret": joined("aws_secret_access_key = ", run(alnum, 40)),
  "AWS secret in JSON": joined('"SecretAccessKey": "', run(alnum, 40), '"'),
  Stripe: key("sk_live_", alnum, 24),
  "Stripe restricted": key("rk_live_", alnum, 24),
  npm: key("npm_", alnum, 36),
  "Hugging Face": key("hf_", alnum, 34),
  PyPI: key("pypi-AgEIcHlwaS5vcmc", word, 150),
  Telegram: joined(run(Array.from("123456789"), 10), ":AA", run(word, 33)),
  Discord: joined(fc.constantFrom("MTA", "NzQ", "ODk"), run(alnum, 23), ".", run(alnum, 6), ".", run(word, 38)),
  "Discord hook": joined("https://discord.com/api/webhooks/", run(Array.from("0123456789"), 18), "/", run(word, 68)),
  SendGrid: joined("SG.", run(word, 22), ".", run(word, 43)),
  Twilio: key("SK", hex, 32),
  Mailgun: key("key-", hex, 32),
  DigitalOcean: key("dop_v1_", hex, 64),
  Databricks: key("dapi", hex, 32),
  Shopify: key("shpat_", hex, 32),
  Square: key("sq0atp-", word, 22),
  Linear: key("lin_api_", alnum, 40),
  Notion: key("ntn_", alnum, 46),
  "Notion, old": key("secret_", alnum, 43),
  Vault: key("hvs.", word, 95),
  Azure: joined("AccountKey=", run(base64, 86), "=="),
  Doppler: key("dp.pt.", alnum, 43),
  Postman: joined("PMAK-", run(hex, 24), "-", run(hex, 34)),
  Groq: key("gsk_", alnum, 52),
  JWT: joined("eyJ", run(alnum, 33), ".eyJ", run(alnum, 60), ".", run(word, 43)),
  "private key": joined(
    "-----BEGIN RSA PRIVATE KEY-----\n",
    run(base64, 64),
    "\n",
    run(base64, 64),
    "\n-----END RSA PRIVATE KEY-----",
  ),
  "private key in JSON": joined(
    String.raw`"-----BEGIN PRIVATE KEY-----\n`,
    run(base64, 64),
    String.raw`\n-----END PRIVATE KEY-----\n"`,
  ),
  URL: joined("postgres://user:", run(alnum, 12), "@db.internal:5432/app"),
  proxy: joined("http://proxy:", run(alnum, 10), "@10.0.0.1:3128"),
  Bearer: joined("Authorization: Bearer 7", run(alnum, 40)),
  Basic: joined("Authorization: Basic ", run(alnum, 24), "=="),
  header: joined("x-api-key: ", run(alnum, 40)),
};
