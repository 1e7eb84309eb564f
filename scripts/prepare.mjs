/**
 * npm runs this after an install (`prepare` in package.json): compiles src into dist where the compiler is there, and
 * makes the agent that the server hands out from that, and the web console beside it. An install without development dependencies (`npm ci --omit=dev`)
 * has neither compiler nor bundler: it runs the dist that came along, and without one says how to get it instead of
 * failing, because the image is built in such steps.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

if (existsSync(compiler)) {
  // What an earlier build left, such as a migration that was renamed, must not run.
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  const { bundleAgent } = await import('./bundle-agent.mjs');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { buildConsole } = await import('./build-console.mjs');
  const compiled = fileURLToPath(new URL('../dist', import.meta.url));
  await Promise.all([bundleAgent(compiled, version), buildConsole(compiled)]);
  process.exit(0);
}
if (existsSync(new URL('../dist/main.js', import.meta.url))) {
  console.log('slipway: no compiler installed, dist is used as it is');
} else {
  console.log(
    'slipway: not built, because TypeScript is a development dependency.\n' +
      'To run from a clone without them: npm ci && npm prune --omit=dev (or copy dist from a build).',
  );
}
