// Loaded into the measured process, ours and the bare one alike: says at the end what it has used.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const use = { cpuMs: (userCPUTime + systemCPUTime) / 1000, maxMemoryMb: maxRSS / 1024 };
  writeFileSync(process.env.CAPSTAN_BENCH_REPORT, JSON.stringify(use));
});
