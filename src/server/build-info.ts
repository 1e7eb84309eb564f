import { readFileSync } from 'node:fs';

export interface BuildInfo {
  /** Version of the installed package, which the agent of the package reads there too (`agent/user-agent.ts`). */
  version: string;
  /** The 40 digits of the commit it was built from; null where the build knew none, as without git. */
  commit: string | null;
}

/** Which build this program is, wherever it says so. Modules that no build has assembled have a version alone. */
export function buildInfo(): BuildInfo {
  const { version } = readJson('../../package.json') as { version: string };
  return { version, commit: commitOfBuild() };
}

/** What a build writes beside the program (`scripts/write-build-info.mjs`). */
function commitOfBuild(): string | null {
  try {
    return (readJson('../build-info.json') as BuildInfo).commit;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
