import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { checkoutOptions, type CheckoutOptions } from './checkout-options.js';
import { git, GitError, gitOutput } from './git.js';
import type { JobContext } from '../job/job-context.js';
import { wait } from '../wait.js';

const attempts = 3;
const retryDelayMs = 2_000;

/** `<organization>/<pipeline>` in the folder of the agent. */
export function checkoutPath(agentFolder: string, env: Readonly<Record<string, string>>): string {
  const parts = [env['BUILDKITE_ORGANIZATION_SLUG'] ?? '', env['BUILDKITE_PIPELINE_SLUG'] ?? ''];
  return join(agentFolder, ...parts.map(folderName));
}

/** A text as the name of a folder. */
export function folderName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '-') || '-';
}

/** Gives the job an empty folder and no source (`BUILDKITE_SKIP_CHECKOUT`). */
export async function emptyFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

/**
 * Checks out the job's commit in `path`. Reuses an existing checkout; from the second try on it starts from scratch.
 * @throws GitError if the source is not available
 */
export async function checkout(context: JobContext, path: string, retryScale: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1 || context.env['BUILDKITE_CLEAN_CHECKOUT'] === 'true')
        await rm(path, { recursive: true, force: true });
      await mkdir(path, { recursive: true });
      await checkoutOnce(context, path);
      return;
    } catch (error) {
      const final = !(error instanceof GitError) || error.end.kind === 'not_started' || error.end.kind === 'cancelled';
      if (context.cancel.aborted) await context.log.line('# The checkout was cancelled');
      if (final || attempt === attempts || context.cancel.aborted) throw error;
      await context.log.line(
        `⚠️ Checkout failed (${error.message}), trying again from scratch (${attempt + 1}/${attempts})`,
      );
      await wait(retryDelayMs * retryScale, context.cancel);
    }
  }
}

async function checkoutOnce(context: JobContext, path: string): Promise<void> {
  const { env } = context;
  const repository = env['BUILDKITE_REPO'] ?? '';
  const options = checkoutOptions(env);
  if (existsSync(join(path, '.git'))) await git(context, path, 'remote', 'set-url', '--', 'origin', repository);
  else await git(context, path, 'clone', ...options.clone, '--no-checkout', '--', repository, '.');
  await git(context, path, 'clean', ...options.clean);
  await sparse(context, path, options);

  const commit = await fetchCommit(context, path, options);
  await git(context, path, '-c', 'advice.detachedHead=false', 'checkout', ...options.checkout, commit);

  if (existsSync(join(path, '.gitmodules')) && options.submodules) {
    await git(context, path, 'submodule', 'sync', '--recursive');
    await git(context, path, 'submodule', 'update', '--init', '--recursive', '--force');
    await git(context, path, 'submodule', 'foreach', '--recursive', 'git reset --hard');
  }
  await git(context, path, 'clean', ...options.clean);
}

/** Limits the working tree to some folders or patterns, or lifts the limit of the job before. */
async function sparse(context: JobContext, path: string, { sparsePaths, sparseMode }: CheckoutOptions): Promise<void> {
  if (sparsePaths.length > 0)
    return git(context, path, 'sparse-checkout', 'set', `--${sparseMode}`, '--', ...sparsePaths);
  const limited = await gitOutput(context, path, 'config', '--default', 'false', '--get', 'core.sparseCheckout');
  if (limited.trim() === 'true') await git(context, path, 'sparse-checkout', 'disable');
}

/** Fetches the refs of the job and returns the revision to check out. */
async function fetchCommit(context: JobContext, path: string, options: CheckoutOptions): Promise<string> {
  const { env } = context;
  const commit = env['BUILDKITE_COMMIT'] ?? 'HEAD';
  const fetch = (...refs: string[]): Promise<void> =>
    git(context, path, 'fetch', ...options.fetch, '--', 'origin', ...refs);
  const fetched = commit === 'HEAD' ? 'FETCH_HEAD' : commit;

  if (env['BUILDKITE_REFSPEC']) {
    await fetch(...env['BUILDKITE_REFSPEC'].trim().split(/\s+/));
    return verified(context, path, fetched);
  }
  const pullRequest = env['BUILDKITE_PULL_REQUEST'] ?? 'false';
  if (pullRequest !== 'false' && pullRequest !== '' && (env['BUILDKITE_PIPELINE_PROVIDER'] ?? '').includes('github')) {
    const merged = env['BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC'] === 'true';
    await fetch(`refs/pull/${pullRequest}/${merged ? 'merge' : 'head'}`);
    return verified(context, path, merged ? 'FETCH_HEAD' : fetched);
  }
  if (commit === 'HEAD') {
    await fetch(env['BUILDKITE_BRANCH'] ?? '');
    return 'FETCH_HEAD';
  }
  try {
    await fetch(commit);
    // A branch or tag may also exist here, as it was some builds ago.
    if (!/^[0-9a-f]{40,64}$/.test(commit)) return 'FETCH_HEAD';
  } catch (error) {
    if (!(error instanceof GitError) || error.end.kind !== 'exited') throw error;
    // Not every server hands out single objects.
    await fetch('+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*');
  }
  return verified(context, path, commit);
}

/** The full name of a revision, so that `checkout` never takes text from the job for a path. */
async function verified(context: JobContext, path: string, revision: string): Promise<string> {
  try {
    // The prefix keeps a leading dash from being read as an option.
    const name = revision.startsWith('-') ? `refs/heads/${revision}` : revision;
    return (await gitOutput(context, path, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)).trim();
  } catch (error) {
    if (error instanceof GitError && error.end.kind === 'exited')
      // The status of a `git checkout` of what is not there.
      throw new GitError(`commit ${revision} is not in the repository`, { kind: 'exited', code: 128 });
    throw error;
  }
}
