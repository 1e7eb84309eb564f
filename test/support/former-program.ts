import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from './compiled-modules.js';

/** The last release, whose replicas go on beside those of this one. Moved on by each release. */
export const formerRelease = { version: '0.2.0', commit: '9dafc8f5914703d4b06b5d18b714ed85eed4529a' };

/** Why the program of the last release cannot be built; null where it can. */
export function noFormerProgram(): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${formerRelease.commit}^{commit}`], { stdio: 'ignore' });
    return null;
  } catch {
    return `the commit of release ${formerRelease.version} is not in this clone`;
  }
}

const build = `
  import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { resolve } from 'node:path';
  import { compile } from './scripts/compile.mjs';
  import { assemble } from './scripts/assemble.mjs';
  compile('src', resolve('modules/dist'));
  writeFileSync('modules/package.json', readFileSync('package.json'));
  mkdirSync('dist', { recursive: true });
  await assemble(resolve('modules/dist'), resolve('dist'));`;

/** Builds the program of the last release from the history of this clone, with today's packages; returns main.js. */
export function formerProgram(): string {
  const folder = once(join(process.cwd(), 'tmp', `former-${formerRelease.commit.slice(0, 16)}`), (own) => {
    mkdirSync(own, { recursive: true });
    const archive = execFileSync('git', ['archive', formerRelease.commit], { maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', own], { input: archive });
    execFileSync(process.execPath, ['--input-type=module', '-e', build], { cwd: own, stdio: 'pipe' });
  });
  return join(folder, 'dist', 'main.js');
}
