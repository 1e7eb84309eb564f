import leven from 'leven';
import type { ConditionFacts } from './variables.js';

const prefix = 'BUILDKITE_';

/** The names a condition may ask for by a literal, without their prefix. */
const allowed: ReadonlySet<string> = new Set([
  'BRANCH',
  'TAG',
  'MESSAGE',
  'COMMIT',
  'PIPELINE_SLUG',
  'PIPELINE_NAME',
  'PIPELINE_ID',
  'ORGANIZATION_SLUG',
  'TRIGGERED_FROM_BUILD_ID',
  'TRIGGERED_FROM_BUILD_NUMBER',
  'TRIGGERED_FROM_BUILD_PIPELINE_SLUG',
  'TRIGGERED_FROM_BUILD_JOB_ID',
  'REBUILT_FROM_BUILD_ID',
  'REBUILT_FROM_BUILD_NUMBER',
  'REPO',
  'PULL_REQUEST',
  'PULL_REQUEST_BASE_BRANCH',
  'PULL_REQUEST_REPO',
  'PULL_REQUEST_USING_MERGE_REFSPEC',
  'MERGE_QUEUE_BASE_BRANCH',
  'MERGE_QUEUE_BASE_COMMIT',
  'GIT_DIFF_BASE',
  'GITHUB_ACTION',
  'GITHUB_COMMENT_ID',
  'GITHUB_DEPLOYMENT_ID',
  'GITHUB_DEPLOYMENT_TASK',
  'GITHUB_DEPLOYMENT_ENVIRONMENT',
  'GITHUB_DEPLOYMENT_PAYLOAD',
  'GITHUB_EVENT',
  'GITHUB_REVIEW_ID',
  'GITHUB_CHECK_RUN_CONCLUSION',
  'GITHUB_CHECK_RUN_NAME',
  'GITHUB_DEPLOYMENT_STATUS_ENVIRONMENT',
  'GITHUB_DEPLOYMENT_STATUS_STATE',
  'GITHUB_RELEASE_DRAFT',
  'GITHUB_RELEASE_PRERELEASE',
  'GITHUB_RELEASE_TAG',
  'GITHUB_REVIEW_STATE',
]);

/** Reachable only through a name that is computed. */
const dynamicOnly = 'BUILDKITE_PULL_REQUEST_LABELS';

function isAllowed(name: string): boolean {
  return !name.startsWith(prefix) || allowed.has(name.slice(prefix.length));
}

/** The allowed name that was most likely meant, null if none is near. */
export function suggestEnvName(name: string): string | null {
  const word = name.slice(prefix.length);
  if (word.length > 64) return null;
  let best: { name: string; edits: number } | null = null;
  for (const candidate of allowed) {
    const edits = leven(word, candidate);
    if (edits <= Math.ceil(word.length / 4) && edits < (best?.edits ?? Infinity))
      best = { name: prefix + candidate, edits };
  }
  return best?.name ?? null;
}

function malformed(name: string): string | null {
  if (name.startsWith('$')) {
    const variable = name.replaceAll('$', '');
    return `Argument to \`env\` should not include \`$\`${variable === '' ? '' : ` - did you mean ${variable}?`}`;
  }
  return /^[A-Za-z0-9_]+$/.test(name) ? null : 'Argument to `env` should be an environment variable name';
}

/** Returns the problem of a literal name, or null. */
export function literalEnvNameProblem(name: string): string | null {
  const shape = malformed(name);
  if (shape !== null || isAllowed(name)) return shape;
  const suggestion = suggestEnvName(name);
  return suggestion === null
    ? `"${name}" is not available in conditions`
    : `"${name}" is not a valid environment variable - did you mean "${suggestion}"?`;
}

/** Returns the problem of a computed name, or null. */
export function dynamicEnvNameProblem(name: string): string | null {
  const shape = malformed(name);
  if (shape !== null || isAllowed(name) || name === dynamicOnly) return shape;
  return `"${name}" is not available in conditions`;
}

/** Built-in values; undefined keeps the value of the pipeline or build. */
function builtIn({ values }: ConditionFacts): Record<string, string | undefined> {
  const text = (value: string | number | null | undefined): string => String(value ?? '');
  const known = (value: string | null | undefined): string | undefined => value ?? undefined;
  const diffBase = values['pipeline.use_merge_queue_base_commit_for_git_diff_base']
    ? values['build.merge_queue.base_commit']
    : values['build.merge_queue.base_branch'];
  return {
    BRANCH: known(values['build.branch']),
    TAG: text(values['build.tag']),
    MESSAGE: text(values['build.message']),
    COMMIT: known(values['build.commit']),
    REPO: known(values['pipeline.repository']),
    PIPELINE_SLUG: known(values['pipeline.slug']),
    PIPELINE_NAME: known(values['pipeline.name']),
    PIPELINE_ID: known(values['pipeline.id']),
    ORGANIZATION_SLUG: known(values['organization.slug']),
    PULL_REQUEST: values['build.pull_request.id'] || 'false',
    PULL_REQUEST_BASE_BRANCH: text(values['build.pull_request.base_branch']),
    PULL_REQUEST_REPO: text(values['build.pull_request.repository']),
    PULL_REQUEST_LABELS: (values['build.pull_request.labels'] ?? []).join(','),
    PULL_REQUEST_USING_MERGE_REFSPEC: values['build.pull_request.using_merge_refspec'] ? 'true' : '',
    MERGE_QUEUE_BASE_BRANCH: text(values['build.merge_queue.base_branch']),
    MERGE_QUEUE_BASE_COMMIT: text(values['build.merge_queue.base_commit']),
    TRIGGERED_FROM_BUILD_ID: text(values['build.triggered_from.build_id']),
    TRIGGERED_FROM_BUILD_NUMBER: text(values['build.triggered_from.build_number']),
    TRIGGERED_FROM_BUILD_PIPELINE_SLUG: text(values['build.triggered_from.pipeline_slug']),
    TRIGGERED_FROM_BUILD_JOB_ID: text(values['build.triggered_from.job_id']),
    REBUILT_FROM_BUILD_ID: text(values['build.rebuilt_from.build_id']),
    REBUILT_FROM_BUILD_NUMBER: text(values['build.rebuilt_from.build_number']),
    GIT_DIFF_BASE: values['build.merge_queue.active'] ? text(diffBase) : '',
  };
}

/**
 * The environment a condition sees: the pipeline's, the build's over it, the built-in values over both. Names with
 * the reserved prefix that are not on the allow list never get in, so no expansion can read a secret of that kind.
 */
export function conditionEnv(facts: ConditionFacts): ReadonlyMap<string, string> {
  const env = new Map<string, string>();
  for (const source of [facts.pipelineEnv, facts.buildEnv]) {
    for (const [name, value] of Object.entries(source ?? {})) if (isAllowed(name)) env.set(name, value);
  }
  for (const [name, value] of Object.entries(builtIn(facts))) if (value !== undefined) env.set(prefix + name, value);
  return env;
}
