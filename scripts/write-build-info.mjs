/** Writes which build a program is, for `slipway --version`, metrics and the SBOM (src/server/build-info.ts reads it). */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/**
 * The commit of this checkout: `SLIPWAY_COMMIT` where a build has no git, as in an image, else what git says; null without either.
 */
function commitOfCheckout() {
  const given = process.env['SLIPWAY_COMMIT'];
  if (given) {
    if (!/^[0-9a-f]{40}$/.test(given))
      throw new Error(`SLIPWAY_COMMIT must be the 40 digits of a commit, not ${given}`);
    return given;
  }
  const git = (...args) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    // A copy of the sources inside another repository is not of that one's commit.
    return git('rev-parse', '--show-prefix') === '' ? git('rev-parse', '--verify', 'HEAD') : null;
  } catch {
    return null;
  }
}

/** @param target absolute path of the folder of the program */
export function writeBuildInfo(target, version) {
  writeFileSync(join(target, 'build-info.json'), `${JSON.stringify({ version, commit: commitOfCheckout() })}\n`);
}
