const letters = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4fGh7Jk0mNoP";
const digits = "0123456789abcdef0123456789abcdef0123456789abcdef";

function word(length: number): string {
  return letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
}

/** Keys in the forms that vendors give theirs. Put together here, so that no file of the project holds anything of such a form. */
export const vendorKeys: Readonly<Record<string, string>> = {
  "GitHub, classic": `ghp_${word(36)}`,
  "GitHub, fine-grained": `github_pat_${word(22)}_${word(59)}`,
  "GitHub, of an app": `ghs_${word(36)}`,
  GitLab: `glpat-${word(20)}`,
  Anthropic: `sk-ant-api03-${word(93)}AA`,
  "OpenAI, project": `sk-proj-${word(74)}`,
  "OpenAI, service": `sk-svcacct-${word(60)}`,
  OpenRouter: `sk-or-v1-${digits}${digits.slice(0, 16)}`,
  Google: `AIza${word(35)}`,
  "AWS, key id": `AKIAABCDEFGHIJKLMNOP`,
  "AWS, secret": `aws_secret_access_key = ${word(40)}`,
  "Slack, bot": `xoxb-123456789012-1234567890123-${word(24)}`,
  "Slack, app": `xapp-1-A0123456789-1234567890123-${digits.slice(0, 40)}`,
  "Stripe, live": `sk_live_${word(24)}`,
  "Stripe, restricted": `rk_live_${word(24)}`,
  Twilio: `SK${digits.slice(0, 32)}`,
  SendGrid: `SG.${word(22)}.${word(43)}`,
  npm: `npm_${word(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${word(70)}`,
  "Hugging Face": `hf_${word(34)}`,
  DigitalOcean: `dop_v1_${digits}${digits.slice(0, 16)}`,
  Shopify: `shpat_${digits.slice(0, 32)}`,
  Telegram: `123456789:AA${word(33)}`,
  Docker: `dckr_pat_${word(27)}`,
  JWT: `eyJ${word(33)}.eyJ${word(40)}.${word(43)}`,
  "Bearer token": `Authorization: Bearer ${word(40)}`,
  "password of an address": `postgres://admin:${word(20)}@db.example.org:5432/prod`,
  "private key": `-----BEGIN RSA PRIVATE KEY-----\\n${word(64)}\\n${word(64)}\\n-----END RSA PRIVATE KEY-----`,
};

/** The part of a key that must be seen nowhere. */
export function secretPart(key: string): string {
  const password = /:\/\/admin:(.+)@/.exec(key)?.[1];
  if (password !== undefined) return password;
  if (key.startsWith("-----")) return key.split("\\n")[1] ?? key;
  return key.split(/[ =]+/).at(-1) ?? key;
}

/** As long, and in no form that anybody knows. */
export function twinOf(text: string): string {
  return text.split("").toReversed().join("");
}
