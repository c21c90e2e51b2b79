import { alphanumeric, hex, type KeyFormat, keyFormat, type Piece, word } from "./key-format.ts";

/** No letter or digit may follow: the length is exact. */
const ends: Piece = { look: "(?![A-Za-z0-9])" };

/** Prefixes that nothing but a key has, with what follows. */
const prefixed: readonly (readonly [name: string, prefixes: readonly string[], ...rest: readonly Piece[]])[] = [
  ["Anthropic", ["sk-ant-"], word(16)],
  ["OpenAI", ["sk-proj-", "sk-svcacct-", "sk-admin-"], word(16)],
  ["OpenRouter, Langfuse", ["sk-or-", "sk-lf-"], word(16)],
  ["OpenAI and those like it", ["sk-"], alphanumeric(20)],
  ["Stripe", ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], alphanumeric(16)],
  ["Google API", ["AIza"], word(16)],
  ["Google OAuth", ["ya29.", "GOCSPX-"], word(20)],
  // What follows has no underscore, at first: words in snake_case do.
  [
    "GitHub",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    alphanumeric(16),
    { characters: String.raw`\w`, min: 0 },
  ],
  [
    "GitLab",
    ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-"],
    { characters: String.raw`\w.-`, min: 16 },
  ],
  ["Slack", ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "xapp-"], word(16)],
  [
    "Slack hook",
    ["hooks.slack.com/services/", "hooks.slack.com/workflows/"],
    { characters: String.raw`\w/-`, min: 20 },
  ],
  [
    "Discord hook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    { characters: String.raw`\w/-`, min: 30 },
  ],
  ["AWS", ["AKIA", "ASIA", "ABIA", "ACCA"], { characters: "A-Z0-9", min: 16 }],
  ["npm", ["npm_"], alphanumeric(20)],
  ["Hugging Face", ["hf_"], alphanumeric(20)],
  ["PyPI", ["pypi-AgE"], word(16)],
  ["SendGrid", ["SG."], word(16), ".", word(16)],
  ["Mailgun", ["key-"], hex(32, 32), ends],
  ["DigitalOcean", ["dop_v1_", "doo_v1_", "dor_v1_"], hex(32)],
  ["Databricks", ["dapi"], hex(32, 32), ends],
  ["Shopify", ["shpat_", "shpca_", "shppa_", "shpss_"], hex(32)],
  ["Square", ["sq0atp-", "sq0csp-", "sq0idp-"], word(22)],
  ["Linear", ["lin_api_", "lin_oauth_"], alphanumeric(20)],
  ["Notion", ["secret_"], alphanumeric(43, 43), ends],
  ["Notion", ["ntn_"], alphanumeric(30)],
  ["Vault", ["hvs.", "hvb.", "hvr."], word(20)],
  ["Azure", ["AccountKey=", "SharedAccessKey="], { characters: "A-Za-z0-9+/=%", min: 40 }],
  [
    "Doppler",
    ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    { characters: String.raw`\w.-`, min: 30 },
  ],
  ["Postman", ["PMAK-"], { characters: "0-9a-f-", min: 40 }],
  ["Groq, xAI, Perplexity", ["gsk_", "xai-", "pplx-"], alphanumeric(20)],
  ["Tavily, NVIDIA", ["tvly-", "nvapi-"], word(20)],
  ["Replicate", ["r8_"], alphanumeric(30)],
  ["Grafana", ["glsa_", "glc_"], alphanumeric(16), { characters: String.raw`\w=+/`, min: 8 }],
  ["Sentry", ["sntrys_", "sntryu_"], { characters: String.raw`\w=+/`, min: 32 }],
  ["Figma", ["figd_"], word(30)],
  ["New Relic", ["NRAK-"], alphanumeric(27, 27), ends],
  ["RubyGems", ["rubygems_"], hex(40)],
  ["Docker", ["dckr_pat_", "dckr_oat_"], word(20)],
  ["Supabase", ["sbp_"], hex(40)],
  ["PlanetScale", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], word(30)],
  ["Atlassian", ["ATATT3", "ATCTT3"], { characters: String.raw`\w=-`, min: 40 }],
  ["age", ["AGE-SECRET-KEY-1"], { characters: "A-Z0-9", min: 50 }],
];

const quote: Piece = { characters: `"'\\\\\\s`, min: 0, max: 4 };
const inWord = String.raw`(?<![\w-])`;

const discordHead: readonly Piece[] = ["MNO", "DTjz", "AEIMQUYcgk"].map((characters) => ({
  characters,
  min: 1,
  max: 1,
}));

/** Forms that take more than a prefix. */
const shaped: readonly KeyFormat[] = [
  keyFormat("sk- with a kind", ["sk-", { characters: "a-z0-9", min: 2, max: 10 }, "-", alphanumeric(20)], { shown: 3 }),
  keyFormat("Square access", ["EAAA", { characters: "El", min: 1, max: 1 }, word(50), { look: "(?![A-Za-z0-9+/=])" }], {
    before: "(?<![A-Za-z0-9+/])",
  }),
  keyFormat("Azure signature", ["&sig=", { characters: "A-Za-z0-9+/=%", min: 40 }], { before: "", inBase64: false }),
  keyFormat("Google refresh", ["1//0", word(40)]),
  keyFormat("Twilio", ["SK", hex(32, 32), ends], {
    anchors: "0123456789abcdef".split("").map((digit) => `SK${digit}`),
  }),
  keyFormat("Telegram", [":AA", word(32)], { before: String.raw`(?<=(?<!\d)\d{8,10})`, inBase64: false }),
  keyFormat("Discord", [...discordHead, alphanumeric(20, 25), ".", word(6), ".", word(27)], {
    shown: discordHead.length,
    anchors: discordAnchors(),
  }),
  keyFormat("JWT", ["eyJ", word(10), ".", word(10), ".", word(10)], { before: inWord }),
  keyFormat(
    "AWS secret",
    [
      "secret",
      { characters: "_-", min: 0, max: 1 },
      "access",
      { characters: "_-", min: 0, max: 1 },
      "key",
      quote,
      { characters: ":=", min: 1, max: 2 },
      quote,
      { characters: "A-Za-z0-9/+", min: 40, max: 40 },
      { look: "(?![A-Za-z0-9/+])" },
    ],
    { shown: 8, ignoreCase: true, before: "" },
  ),
  keyFormat(
    "Bearer",
    [
      "bearer ",
      { characters: " ", min: 0, max: 3 },
      { look: "(?:sk-ant-|sk-proj-|sk-svcacct-|sk-or-|gh[pousr]_|github_pat_|glpat-|xox[a-e]-)?" },
      { look: "(?=[A-Za-z._~+/=-]*[0-9])" },
      { characters: "A-Za-z0-9._~+/=-", min: 16 },
    ],
    { shown: 3, ignoreCase: true },
  ),
  keyFormat("Basic", ["authorization", quote, ":", quote, "basic ", { characters: "A-Za-z0-9+/=", min: 12 }], {
    shown: 5,
    ignoreCase: true,
  }),
  keyFormat("header key", ["x-api-key", quote, ":", quote, { characters: "A-Za-z0-9._~+/=-", min: 16 }], {
    shown: 4,
    ignoreCase: true,
  }),
  keyFormat(
    "URL",
    [
      "://",
      { characters: String.raw`^\s/?#@:"'<>${"`"}`, min: 0, max: 128 },
      ":",
      { characters: String.raw`^\s/?#@"'<>${"`"}`, min: 1, max: 512 },
      { look: "(@)" },
    ],
    { shown: 3, before: "", inBase64: false },
  ),
  privateKey(),
];

/** Every form of key that is known. */
export function vendorKeys(): readonly KeyFormat[] {
  const plain = prefixed.flatMap(([name, prefixes, ...rest]) =>
    prefixes.map((prefix) => keyFormat(name, [prefix, ...rest])),
  );
  return [...plain, ...shaped];
}

/** A private key goes up to its end mark, or as far as the text does. */
function privateKey(): KeyFormat {
  const kind: Piece = { characters: "A-Z0-9 ", min: 0, max: 40 };
  const head: readonly Piece[] = ["-----BEGIN ", kind, "PRIVATE KEY", { characters: "A-Z ", min: 0, max: 10 }, "-----"];
  const body = String.raw`[\s\S]*?(?:(-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----)|$)`;
  return keyFormat("private key", [...head, { look: body }], { shown: head.length, before: "" });
}

/** Their first part is a number in base64: its first three characters come from three digits. */
function discordAnchors(): readonly string[] {
  return "MNO"
    .split("")
    .flatMap((first) =>
      "DTjz".split("").flatMap((second) => "AEIMQUYcgk".split("").map((third) => first + second + third)),
    );
}
