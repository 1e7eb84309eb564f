import type { JobContext } from '../job/job-context.js';

/** Flags of the git commands of a checkout, and the parts of the repository it needs. */
export interface CheckoutOptions {
  clone: string[];
  fetch: string[];
  checkout: string[];
  clean: string[];
  submodules: boolean;
  /** Folders or patterns to check out; empty: everything. */
  sparsePaths: string[];
  sparseMode: 'cone' | 'no-cone';
}

/** The flags of the open-source agent. */
export const defaultFlags = {
  BUILDKITE_GIT_CLONE_FLAGS: '-v',
  BUILDKITE_GIT_FETCH_FLAGS: '-v --prune',
  BUILDKITE_GIT_CHECKOUT_FLAGS: '-f',
  BUILDKITE_GIT_CLEAN_FLAGS: '-ffxdq',
} as const;

/** Reads the options of a checkout from the job's environment, which hooks may have changed. */
export function checkoutOptions(env: JobContext['env']): CheckoutOptions {
  const flags = (name: keyof typeof defaultFlags): string[] => flagWords(env[name] || defaultFlags[name]);
  return {
    clone: flags('BUILDKITE_GIT_CLONE_FLAGS'),
    fetch: flags('BUILDKITE_GIT_FETCH_FLAGS'),
    checkout: flags('BUILDKITE_GIT_CHECKOUT_FLAGS'),
    clean: flags('BUILDKITE_GIT_CLEAN_FLAGS'),
    submodules: env['BUILDKITE_GIT_SUBMODULES'] !== 'false',
    sparsePaths: (env['BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS'] ?? '').split(/[,\n]/).filter((path) => path.trim() !== ''),
    sparseMode: env['BUILDKITE_GIT_SPARSE_CHECKOUT_MODE'] === 'no-cone' ? 'no-cone' : 'cone',
  };
}

/**
 * Turns the `checkout` of a step into variables for the job, where the job has none of that name.
 * @returns the names of what this agent does not do
 */
export function applyStepCheckout(env: JobContext['env'], checkout: unknown): string[] {
  if (typeof checkout !== 'object' || checkout === null || Array.isArray(checkout)) return [];
  const { skip, submodules, depth, flags, sparse, lfs, ...others } = checkout as Record<string, unknown>;
  const record = (typeof flags === 'object' && flags !== null ? flags : {}) as Record<string, unknown>;
  const set = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null && !env[name]) env[name] = String(value);
  };
  set('BUILDKITE_SKIP_CHECKOUT', skip);
  set('BUILDKITE_GIT_SUBMODULES', submodules);
  set('BUILDKITE_GIT_LFS_ENABLED', lfs);
  set('BUILDKITE_GIT_CHECKOUT_FLAGS', record['checkout']);
  set('BUILDKITE_GIT_CLEAN_FLAGS', record['clean']);
  set('BUILDKITE_GIT_CLONE_FLAGS', record['clone']);
  set('BUILDKITE_GIT_FETCH_FLAGS', record['fetch']);
  if (Number.isInteger(Number(depth)) && Number(depth) > 0)
    for (const name of ['BUILDKITE_GIT_CLONE_FLAGS', 'BUILDKITE_GIT_FETCH_FLAGS'] as const)
      env[name] = `${env[name] || defaultFlags[name]} --depth=${Number(depth)}`;
  const paths = (sparse as { paths?: unknown } | null | undefined)?.paths;
  if (Array.isArray(paths)) set('BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS', paths.join(','));
  return Object.entries(others).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]));
}

/** Splits flags as a shell does: at spaces, except in quotes or after a backslash. */
export function flagWords(text: string): string[] {
  const words = text.match(/(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])/g, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\([\\"$`])/g, '$1'),
    ),
  );
}
