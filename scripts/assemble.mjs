/** Makes what an installation runs from compiled modules. */
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
  copyViewer(join(target, 'reference-viewer'));
  // What src/mcp/tools/skills.ts reads.
  cpSync(join(compiled, 'mcp', 'skills'), join(target, 'skills'), { recursive: true });
  writeBuildInfo(target, version);
}

/** The files of the REST reference that its page loads (src/web/reference.ts): a sixth of their package. */
function copyViewer(folder) {
  const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(folder, { recursive: true });
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
    'LICENSE',
  ])
    copyFileSync(join(source, name), join(folder, name));
}
