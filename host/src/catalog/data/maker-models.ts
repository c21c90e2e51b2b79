/** Models by those who make them; written by `npm run catalog`, read by `model-rows.ts`. */
export const makerModels: Readonly<Record<string, string>> = {
  anthropic: `
claude-3-5-haiku* 200000 8192 0.8,4,0.08,1 ip no
claude-3-7-sonnet* 200000 64000 3,15,0.3,3.75 ip budget
claude-3-haiku* 200000 4096 0.25,1.25,0.03,0.3 i no
claude-fable-5 1000000 128000 10,50,1,12.5 ip adaptive
claude-fable-5-1 1000000 128000 10,50,0.25,12.5 ip adaptive
claude-fable-5-2 1000000 128000 - ip adaptive
claude-haiku-4-5 200000 64000 1,5,0.1,1.25 ip budget
claude-haiku-5-5 1000000 128000 0.1,0.5,0.01,0.125 ip adaptive 100000:0.5,2.5,0.05,0.625
claude-mythos-5 1000000 128000 10,50,1,12.5 ip adaptive
claude-mythos-5-1 1000000 128000 10,50,0.25,12.5 ip adaptive
claude-mythos-5-2 1000000 128000 - ip adaptive
claude-mythos-preview 1000000 128000 - ip both
claude-opus-4* 200000 32000 15,75,1.5,18.75 ip budget
claude-opus-4-0* 200000 32000 15,75,1.5,18.75 ip budget
claude-opus-4-1* 200000 32000 15,75,1.5,18.75 ip budget
claude-opus-4-5 200000 64000 5,25,0.5,6.25 ip budget
claude-opus-4-6 1000000 128000 5,25,0.5,6.25 ip both
claude-opus-4-7 1000000 128000 5,25,0.5,6.25 ip adaptive
claude-opus-4-8 1000000 128000 5,25,0.5,6.25 ip adaptive
claude-opus-5 1000000 128000 5,25,0.5,6.25 ip adaptive
claude-opus-5-5 1000000 128000 4,20,0.2,5 ip adaptive
claude-sonnet-4* 200000 64000 3,15,0.3,3.75 ip budget
claude-sonnet-4-0* 200000 64000 3,15,0.3,3.75 ip budget
claude-sonnet-4-5 200000 64000 3,15,0.3,3.75 ip budget
claude-sonnet-4-6 1000000 128000 3,15,0.3,3.75 ip both
claude-sonnet-5 1000000 128000 2,10,0.2,2.5 ip adaptive
claude-sonnet-5-5 1000000 128000 2,10,0.1,2.5 ip adaptive
`,
  openai: `
gpt-3.5-turbo* 16385 4096 - t no
gpt-4 8192 8192 30,60 t no
gpt-4-0125-preview* 128000 4096 - t no
gpt-4-1106-preview* 128000 4096 - t no
gpt-4-32k* 32768 32768 - t no
gpt-4-turbo 128000 4096 10,30 i no
gpt-4-vision-preview* 128000 4096 - i no
gpt-4.1 1047576 32768 2,8,0.5 ip no
gpt-4.1-mini 1047576 32768 0.4,1.6,0.1 ip no
gpt-4.1-nano 1047576 32768 0.1,0.4,0.025 ip no
gpt-4o 128000 16384 2.5,10,1.25 ip no
gpt-4o-2024-05-13 128000 4096 5,15 ip no
gpt-4o-mini 128000 16384 0.15,0.6,0.075 ip no
gpt-5 400000 128000 1.25,10,0.125 ip yes
gpt-5-chat-latest 128000 16384 1.25,10,0.125 ip no
gpt-5-codex 400000 128000 1.25,10,0.125 ip yes
gpt-5-mini 400000 128000 0.25,2,0.025 ip yes
gpt-5-nano 400000 128000 0.05,0.4,0.005 ip yes
gpt-5-pro 400000 272000 15,120 ip yes
gpt-5.1 400000 128000 1.25,10,0.125 ip yes
gpt-5.1-chat-latest 128000 16384 1.25,10,0.125 ip yes
gpt-5.1-codex 400000 128000 1.25,10,0.125 ip yes
gpt-5.1-codex-max 400000 128000 1.25,10,0.125 ip yes
gpt-5.1-codex-mini 400000 128000 0.25,2,0.025 ip yes
gpt-5.1-mini 400000 128000 - ip yes
gpt-5.2 400000 128000 1.75,14,0.175 ip yes
gpt-5.2-chat-latest 128000 16384 1.75,14,0.175 ip yes
gpt-5.2-codex 400000 128000 1.75,14,0.175 ip yes
gpt-5.2-pro 400000 128000 21,168 ip yes
gpt-5.3-chat-latest 128000 16384 1.75,14,0.175 ip no
gpt-5.3-codex 400000 128000 1.75,14,0.175 ip yes
gpt-5.3-codex-spark 128000 32000 1.75,14,0.175 ip yes
gpt-5.4 272000 128000 2.5,15,0.25 ip yes
gpt-5.4-mini 400000 128000 0.75,4.5,0.075 ip yes
gpt-5.4-nano 400000 128000 0.2,1.25,0.02 ip yes
gpt-5.4-pro 272000 128000 30,180 ip yes
gpt-5.5 272000 128000 5,30,0.5 ip yes
gpt-5.5-pro 272000 128000 30,180 ip yes
gpt-5.6-luna 1000000 128000 0.2,1.2,0.02 ip yes 272000:0.4,1.8,0.04
gpt-5.6-sol 1000000 128000 5,30,0.5 ip yes 272000:10,45,1
gpt-5.6-terra 1000000 128000 2,12,0.2 ip yes 272000:4,18,0.4
o1 200000 100000 15,60,7.5 ip yes
o1-mini* 128000 65536 - t yes
o1-preview* 128000 32768 - t yes
o1-pro 200000 100000 150,600 ip yes
o3 200000 100000 2,8,0.5 ip yes
o3-deep-research 200000 100000 10,40,2.5 ip yes
o3-mini 200000 100000 1.1,4.4,0.55 t yes
o3-pro 200000 100000 20,80 ip yes
o4-mini 200000 100000 1.1,4.4,0.275 ip yes
o4-mini-deep-research 200000 100000 2,8,0.5 ip yes
`,
  google: `
gemini-2.0-flash* 1048576 8192 0.1,0.4,0.025 ipav no
gemini-2.0-flash-lite* 1048576 8192 0.075,0.3 ipav no
gemini-2.5-flash 1048576 65536 0.3,2.5,0.03 ipav yes
gemini-2.5-flash-lite 1048576 65536 0.1,0.4,0.01 ipav yes
gemini-2.5-flash-lite-preview-09-2025 1048576 65536 0.1,0.4,0.025 ipav yes
gemini-2.5-flash-preview-09-2025 1048576 65536 0.3,2.5,0.075 ipav yes
gemini-2.5-pro 1048576 65536 1.25,10,0.125 ipav yes 200000:2.5,15,0.25
gemini-3-flash* 1048576 65536 0.5,3,0.05 ipav yes
gemini-3-flash-preview 1048576 65536 0.5,3,0.05 ipav yes
gemini-3-pro* 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4
gemini-3-pro-preview 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4
gemini-3.1-flash-lite 1048576 65536 0.25,1.5,0.025 ipav yes
gemini-3.1-flash-lite-preview 1048576 65536 0.25,1.5,0.025 ipav yes
gemini-3.1-pro* 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4
gemini-3.1-pro-preview 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4
gemini-3.1-pro-preview-customtools 1048576 65536 2,12,0.2 ipav yes 200000:4,18,0.4
gemini-3.5-flash 1048576 65536 1.5,9 ipav yes
gemini-3.5-flash-lite 1048576 65536 - ipav yes
gemini-3.6-flash 1048576 65536 - ipav yes
gemini-3.7-flash 1048576 65536 0.75,3.75 ipav yes
gemini-3.8-flash 1048576 65536 0.75,3.75,0.075 ipav yes
gemini-flash-latest 1048576 65536 - ipav yes
gemini-flash-lite-latest 1048576 65536 - ipav yes
gemini-pro-latest 1048576 65536 - ipav yes
gemma-3-27b-it 131072 8192 0,0 i no
gemma-4-26b-a4b-it 256000 8192 0,0 i yes
gemma-4-31b-it 256000 8192 0,0 i yes
`,
  xai: `
grok-2 131072 8192 2,10,2 t no
grok-2-latest 131072 8192 2,10,2 t no
grok-2-vision 8192 4096 2,10,2 i no
grok-2-vision-latest 8192 4096 2,10,2 i no
grok-3 131072 8192 3,15,0.75 t no
grok-3-fast 131072 8192 5,25,1.25 t no
grok-3-fast-latest 131072 8192 5,25,1.25 t no
grok-3-latest 131072 8192 3,15,0.75 t no
grok-3-mini 131072 8192 0.3,0.5,0.075 t yes
grok-3-mini-fast 131072 8192 0.6,4,0.15 t yes
grok-3-mini-fast-latest 131072 8192 0.6,4,0.15 t yes
grok-3-mini-latest 131072 8192 0.3,0.5,0.075 t yes
grok-4 256000 64000 3,15,0.75 t yes
grok-4-1-fast 2000000 30000 0.2,0.5,0.05 i yes
grok-4-1-fast-non-reasoning 2000000 30000 0.2,0.5,0.05 i no
grok-4-fast 2000000 30000 0.2,0.5,0.05 i yes
grok-4-fast-non-reasoning 2000000 30000 0.2,0.5,0.05 i no
grok-4.20-0309-non-reasoning 2000000 30000 2,6,0.2 i no
grok-4.20-0309-reasoning 2000000 30000 2,6,0.2 i yes
grok-4.3 1000000 30000 1.25,2.5,0.2 i yes
grok-beta 131072 4096 5,15,5 t no
grok-code-fast-1 256000 10000 0.2,1.5,0.02 t yes
grok-vision-beta 8192 4096 5,15,5 i no
`,
  deepseek: `
deepseek-v4-flash 1000000 384000 0.14,0.28,0.0028 t yes
deepseek-v4-pro 1000000 384000 0.435,0.87,0.003625 t yes
`,
  mistral: `
codestral-latest 256000 4096 0.3,0.9 t no
devstral-2512 262144 262144 0.4,2 t no
devstral-medium-2507 128000 128000 0.4,2 t no
devstral-medium-latest 262144 262144 0.4,2 t no
devstral-small-2505 128000 128000 0.1,0.3 t no
devstral-small-2507 128000 128000 0.1,0.3 t no
labs-devstral-small-2512 256000 256000 0,0 i no
magistral-medium-latest 128000 16384 2,5 t yes
magistral-small 128000 128000 0.5,1.5 t yes
ministral-3b-latest 128000 128000 0.04,0.04 t no
ministral-8b-latest 128000 128000 0.1,0.1 t no
mistral-large-2411 131072 16384 2,6 t no
mistral-large-2512 262144 262144 0.5,1.5 i no
mistral-large-latest 262144 262144 0.5,1.5 i no
mistral-medium-2505 131072 131072 0.4,2 i no
mistral-medium-2508 262144 262144 0.4,2 i no
mistral-medium-2604 262144 262144 1.5,7.5 i yes
mistral-medium-3.5 262144 262144 1.5,7.5 i yes
mistral-medium-latest 262144 262144 1.5,7.5 i yes
mistral-nemo 128000 128000 0.15,0.15 t no
mistral-small-2506 128000 16384 0.1,0.3 i no
mistral-small-2603 256000 256000 0.15,0.6 i yes
mistral-small-latest 256000 256000 0.15,0.6 i yes
open-mistral-7b 8000 8000 0.25,0.25 t no
open-mixtral-8x22b 64000 64000 2,6 t no
open-mixtral-8x7b 32000 32000 0.7,0.7 t no
pixtral-12b 128000 128000 0.15,0.15 i no
pixtral-large-latest 128000 128000 2,6 i no
`,
  moonshotai: `
kimi-k2-0711-preview 131072 16384 0.6,2.5,0.15 t no
kimi-k2-0905-preview 262144 262144 0.6,2.5,0.15 t no
kimi-k2-thinking 262144 262144 0.6,2.5,0.15 t yes
kimi-k2-thinking-turbo 262144 262144 1.15,8,0.15 t yes
kimi-k2-turbo-preview 262144 262144 2.4,10,0.6 t no
kimi-k2.5 262144 262144 0.6,3,0.1 i yes
kimi-k2.6 262144 262144 0.95,4,0.16 i yes
`,
  zai: `
glm-4.5-air 131072 98304 0,0 t yes
glm-4.7 204800 131072 0,0 t yes
glm-5-turbo 200000 131072 0,0 t yes
glm-5.1 200000 131072 0,0 t yes
glm-5v-turbo 200000 131072 0,0 i yes
`,
  minimax: `
MiniMax-M2.7 204800 131072 0.3,1.2,0.06,0.375 t yes
MiniMax-M2.7-highspeed 204800 131072 0.6,2.4,0.06,0.375 t yes
`,
};
