import { readFileSync } from 'node:fs';
import { packageVersion } from '../package/version.js';

export interface BuildInfo {
  version: string;
  /** The 40 digits of the commit it was built from; null where the build knew none, as without git. */
  commit: string | null;
}

/** Which build this program is, wherever it says so. Modules that no build has assembled have a version alone. */
export const buildInfo = (): BuildInfo => ({ version: packageVersion(), commit: commitOfBuild() });

/** What a build writes beside the program (`scripts/write-build-info.mjs`). */
function commitOfBuild(): string | null {
  try {
    const text = readFileSync(new URL('../build-info.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as BuildInfo).commit;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
