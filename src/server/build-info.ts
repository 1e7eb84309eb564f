import { readFileSync } from 'node:fs';

/** What a build writes beside the program (`scripts/assemble.mjs`). */
export interface BuildInfo {
  version: string;
  /** The 40 digits of the commit it was built from; null where the build knew none, as without git. */
  commit: string | null;
}

/** Which build this program is; null for modules that no build has assembled. */
export function buildInfo(): BuildInfo | null {
  try {
    return JSON.parse(readFileSync(new URL('../build-info.json', import.meta.url), 'utf8')) as BuildInfo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
