/**
 * npm runs this after an install in a checkout and before `npm pack` (`prepare` in package.json), and never where a packed
 * `slipway` is installed: builds dist from src where the compiler is there, and the
 * web console beside it. An install without development dependencies (`npm ci --omit=dev`) has neither compiler nor bundler: it
 * runs the dist that came along, and without one says how to get it instead of failing, because the image is built in such
 * steps.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

if (existsSync(new URL('../node_modules/@swc/core', import.meta.url))) {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  // What an earlier build left, such as a migration that was renamed, must not run.
  rmSync(dist, { recursive: true, force: true });
  // A process of its own, because the two share nothing and the console is half of the work.
  const consoleBuild = spawn(process.execPath, ['scripts/build-console.mjs'], { stdio: 'inherit' });
  const consoleEnd = once(consoleBuild, 'exit');
  const { compile } = await import('./compile.mjs');
  compile('src', dist);
  const { assemble } = await import('./assemble.mjs');
  await assemble(dist, dist);
  const [code] = await consoleEnd;
  process.exit(code ?? 1);
}
if (existsSync(`${dist}/main.js`)) {
  console.log('slipway: no compiler installed, dist is used as it is');
} else {
  console.log(
    'slipway: not built, because the compiler is a development dependency.\n' +
      'To run from a clone without them: npm ci && npm prune --omit=dev (or copy dist from a build).',
  );
}
