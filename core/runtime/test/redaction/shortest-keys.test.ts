import { createRedactor } from "@capstan/runtime";
import { expect, test } from "vitest";

const redact = createRedactor([]);

/** So many characters that repeat: each form's own alphabet. */
function filled(alphabet: string, count: number): string {
  return alphabet.repeat(count).slice(0, count);
}

const alphanumeric = "a7Bk2X";
const word = "a7_Bk-2X";
const hex = "a1b2c3";
const upper = "A2B3C4";

/** What stands before the secret, its characters, how many there must be, and how many there may be. */
const forms = (
  [
    ["sk-ant-", word, 16],
    ["sk-proj-", word, 16],
    ["sk-svcacct-", word, 16],
    ["sk-admin-", word, 16],
    ["sk-or-", word, 16],
    ["sk-lf-", word, 16],
    ["sk-", alphanumeric, 20],
    ["sk-ab-", alphanumeric, 20],
    ["sk-abcdefgh12-", alphanumeric, 20],
    ["sk_live_", alphanumeric, 16],
    ["rk_test_", alphanumeric, 16],
    ["whsec_", alphanumeric, 16],
    ["AIza", word, 16],
    ["ya29.", word, 20],
    ["GOCSPX-", word, 20],
    ["ghp_", alphanumeric, 16],
    ["github_pat_", alphanumeric, 16],
    ["glpat-", "a7._Bk-2X", 16],
    ["glagent-", "a7._Bk-2X", 16],
    ["xoxb-", word, 16],
    ["xapp-", word, 16],
    ["hooks.slack.com/services/", "a7/Bk-2X", 20],
    ["discord.com/api/webhooks/", "a7/Bk-2X", 30],
    ["AKIA", upper, 16],
    ["ASIA", upper, 16],
    ["npm_", alphanumeric, 20],
    ["hf_", alphanumeric, 20],
    ["pypi-AgE", word, 16],
    ["SG.abcdefghijklmnop.", word, 16],
    ["key-", hex, 32, 32],
    ["dop_v1_", hex, 32],
    ["dapi", hex, 32, 32],
    ["shpat_", hex, 32],
    ["sq0atp-", word, 22],
    ["lin_api_", alphanumeric, 20],
    ["secret_", alphanumeric, 43, 43],
    ["ntn_", alphanumeric, 30],
    ["hvs.", word, 20],
    ["AccountKey=", "a7+Bk/2X", 40],
    ["dp.pt.", "a7._Bk-2X", 30],
    ["PMAK-", "a1-b2c3", 40],
    ["gsk_", alphanumeric, 20],
    ["pplx-", alphanumeric, 20],
    ["tvly-", word, 20],
    ["nvapi-", word, 20],
    ["r8_", alphanumeric, 30],
    ["glsa_abcdefghijklmnop", "a7_=B", 8],
    ["sntrys_", "a7_=B", 32],
    ["figd_", word, 30],
    ["NRAK-", alphanumeric, 27, 27],
    ["rubygems_", hex, 40],
    ["dckr_pat_", word, 20],
    ["sbp_", hex, 40],
    ["pscale_tkn_", word, 30],
    ["ATATT3", "a7_=Bk-2X", 40],
    ["AGE-SECRET-KEY-1", upper, 50],
    ["EAAAE", word, 50],
    ["&sig=", "a7+Bk/2X", 40],
    ["1//0", word, 40],
    ["SK", hex, 32, 32],
    ["12345678:AA", word, 32],
    ["1234567890:AA", word, 32],
    ["eyJabcdefghij.abcdefghij.", word, 10],
    ["aws_secret_access_key = ", alphanumeric, 40, 40],
    ["Bearer ", "a7.B", 16],
    ["bearer    ", "a7.B", 16],
    ['Authorization: "Basic ', "a7+B", 12],
    ['"x-api-key": "', "a7.B", 16],
  ] satisfies readonly (readonly [before: string, alphabet: string, least: number, most?: number])[]
).map(([before, alphabet, least, most]) => ({ before, alphabet, least, most }));

test.for(forms)(
  "the shortest key after $before is redacted, and what is shorter by one is none",
  ({ before, alphabet, least }) => {
    const shown = (count: number): string => redact(`${before}${filled(alphabet, count)} rest`);
    expect(shown(least)).toBe(`${shown(least).split("***")[0] ?? ""}*** rest`);
    expect(shown(least)).not.toContain(filled(alphabet, least).slice(-6));
    expect(shown(least - 1)).toBe(`${before}${filled(alphabet, least - 1)} rest`);
  },
);

test.for(forms.filter(({ most }) => most !== undefined))(
  "after $before, which has one length, what is longer is no key",
  ({ before, alphabet, least }) => {
    const text = `${before}${filled(alphabet, least + 1)} rest`;
    expect(redact(text)).toBe(text);
  },
);
