import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { firstLine } from '../../domain/first-line.js';

const run = promisify(execFile);
const maxOutputBytes = 100 * 1024 * 1024;

export interface ChangeSource {
  folder: string;
  /** Revision that the build is compared with, such as `origin/main`. */
  base: string;
  /** Whether `base` is fetched first. */
  fetch: boolean;
  /** File with the changed paths, one a line, in place of git. */
  file: string | undefined;
  log: (message: string) => void;
}

/**
 * Returns the files that a build changes: those that differ from where its branch left the base, or of the last commit
 * where the build is of the base itself. Undefined, with the reason in the log, where git does not know.
 */
export async function changedFiles(source: ChangeSource): Promise<string[] | undefined> {
  const { folder, base, log } = source;
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: folder, maxBuffer: maxOutputBytes })).stdout;
  try {
    if (source.file !== undefined) return lines(await readFile(resolve(folder, source.file), 'utf8'), '\n');
    if (source.fetch) await fetchBase(git, base, log);
    const revision = async (name: string) => (await git('rev-parse', '--verify', '--end-of-options', name)).trim();
    if ((await revision(base)) === (await revision('HEAD'))) {
      log(`if_changed looks at the last commit alone, because this build is of ${base} itself`);
      return lines(await git('log', '--first-parent', '-1', '--name-only', '--pretty=format:', '-z'), '\0');
    }
    const mergeBase = (await git('merge-base', base, 'HEAD')).trim();
    return lines(await git('diff', '--name-only', '-z', mergeBase), '\0');
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trim().split('\n').at(-1) ?? '';
    log(
      `if_changed skips no step, because what ` +
        `changed since ${base} is not known: ${reason} (see --git-diff-base and --fetch-diff-base)`,
    );
    return undefined;
  }
}

async function fetchBase(
  git: (...args: string[]) => Promise<string>,
  base: string,
  log: ChangeSource['log'],
): Promise<void> {
  const slash = base.indexOf('/');
  const [remote, reference] = slash < 0 ? ['origin', base] : [base.slice(0, slash), base.slice(slash + 1)];
  await git('fetch', '--', remote, reference).catch((error: unknown) =>
    log(`${base} could not be fetched: ${firstLine((error as Error).message)}`),
  );
}

const lines = (text: string, separator: string): string[] => text.split(separator).filter((line) => line.trim() !== '');
