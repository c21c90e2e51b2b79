import { existsSync } from "node:fs";
import { dataDirectory, prepareDataDirectory } from "@capstan/host";
import { initConfig } from "../configuration/show-config.ts";

/** `capstan acp --setup`, which editors start in a terminal: writes the configuration, and says what else is needed. */
export async function setUp(): Promise<number> {
  const { configFile } = await prepareDataDirectory(dataDirectory(process.env));
  if (existsSync(configFile)) process.stdout.write(`The configuration is there: ${configFile}\n`);
  else await initConfig();
  process.stdout.write(
    "Keys come from the environment of the editor: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY there, or name a server of your own in the configuration.\n",
  );
  return 0;
}
