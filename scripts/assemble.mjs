/** Makes what an installation runs from compiled modules. */
import { readFileSync } from 'node:fs';
import { bundleAgent } from './bundle-agent.mjs';
import { bundleProgram } from './bundle-program.mjs';
import { prepareDatabase } from './prepare-database.mjs';
import { writeBuildInfo } from './write-build-info.mjs';

/**
 * @param compiled absolute path of the folder of compiled modules
 * @param target absolute path of the folder for the program, the agent that it hands out, and its first database; may be `compiled`
 */
export async function assemble(compiled, target) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  // The others read what the bundle takes the place of.
  await bundleAgent(compiled, target, version);
  await prepareDatabase(compiled, target);
  await bundleProgram(compiled, target);
  writeBuildInfo(target, version);
}
