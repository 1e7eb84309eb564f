import { isAgentOwned } from './agent-variables.js';
import { isVariableName } from './variable-name.js';
import { checkoutVariables } from './agent-step.js';
import type { JsonObject } from '../pipelines/steps/step.js';

/** Facts from which a job's environment is computed: plain values, no rows. */
export interface EnvironmentFacts {
  webUrl: string;
  organization: { id: string; slug: string };
  cluster: { id: string; name: string } | null;
  pipeline: {
    id: string;
    slug: string;
    name: string;
    defaultBranch: string;
    providerId: string;
    repository: string;
    cloneMirrorUrl: string | null;
    /** Slugs of the teams that see the pipeline, secret ones left out. */
    teams: string[];
  };
  build: {
    id: string;
    number: number;
    branch: string;
    tag: string | null;
    commit: string;
    commitResolved: boolean;
    message: string | null;
    source: string;
    env: Record<string, unknown>;
    pipelineEnv: Record<string, string>;
    author: { name: string | null; email: string | null } | null;
    creator: { name: string; email: string; teams: string[] } | null;
    pullRequest: {
      id: string;
      baseBranch: string | null;
      repository: string | null;
      labels: string[];
      draft: boolean | null;
    } | null;
    cleanCheckout: boolean;
    /** Whether its jobs may have tokens for the repository of the pipeline, by which git clones it. */
    hasRepositoryTokens: boolean;
    /** Facts of its webhook event, by the name of the variable in conditions. */
    conditions: Readonly<Record<string, unknown>>;
    rebuiltFrom: { id: string; number: number } | null;
    triggeredFrom: { id: string; number: number; pipelineSlug: string } | null;
  };
  step: { id: string; key: string | null; image: string | null; checkout: JsonObject | null };
  group: { id: string; key: string | null; label: string | null } | null;
  job: {
    id: string;
    label: string | null;
    command: string | null;
    env: Record<string, string>;
    plugins: unknown[] | null;
    artifactPaths: string | null;
    timeoutInMinutes: number | null;
    retriesCount: number | null;
    parallelGroupIndex: number | null;
    parallelGroupTotal: number | null;
  };
  unblocker: { id: string; name: string; email: string; teams: string[] } | null;
  agent: { id: string; name: string; metaData: string[] } | null;
}

/**
 * Returns the environment of a job as strings: pipeline, then build, then step, then the standard variables; each layer
 * overrides the previous ones. Variables that belong to the agent are left out.
 */
export function jobEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const env: Record<string, string> = {};
  for (const layer of [facts.build.pipelineEnv, facts.build.env, facts.job.env]) {
    // Older rows may hold names that are refused today.
    for (const [name, value] of Object.entries(layer))
      if (!isAgentOwned(name) && isVariableName(name)) env[name] = text(value);
  }
  // An `env` that says otherwise wins: agents may have credentials of their own.
  if (facts.build.hasRepositoryTokens) env[usesRepositoryTokens] ??= 'true';
  add(env, ofPipeline(facts));
  add(env, ofBuild(facts));
  add(env, ofEvent(facts));
  add(env, ofJob(facts));
  add(env, checkoutVariables(facts.step.checkout));
  add(env, ofAgent(facts));
  return env;
}

/** Variable by which an agent asks the server for git's credentials. */
const usesRepositoryTokens = 'BUILDKITE_USE_REPOSITORY_PROVIDER_GIT_CREDENTIALS';

type Variables = Record<string, string | null>;

function ofPipeline({ organization, cluster, pipeline }: EnvironmentFacts): Variables {
  return {
    CI: 'true',
    BUILDKITE: 'true',
    BUILDKITE_ORGANIZATION_ID: organization.id,
    BUILDKITE_ORGANIZATION_SLUG: organization.slug,
    BUILDKITE_PIPELINE_ID: pipeline.id,
    BUILDKITE_PIPELINE_SLUG: pipeline.slug,
    BUILDKITE_PIPELINE_NAME: pipeline.name,
    BUILDKITE_PIPELINE_DEFAULT_BRANCH: pipeline.defaultBranch,
    BUILDKITE_PIPELINE_PROVIDER: pipeline.providerId,
    BUILDKITE_PIPELINE_TEAMS: pipeline.teams.join(':'),
    BUILDKITE_PROJECT_SLUG: `${organization.slug}/${pipeline.slug}`,
    BUILDKITE_PROJECT_PROVIDER: pipeline.providerId,
    BUILDKITE_REPO: pipeline.repository,
    BUILDKITE_REPO_SSH_HOST: sshHost(pipeline.repository),
    BUILDKITE_GIT_REMOTE_MIRROR_URL: pipeline.cloneMirrorUrl,
    BUILDKITE_CLUSTER_ID: cluster?.id ?? null,
    BUILDKITE_CLUSTER_NAME: cluster?.name ?? null,
    BUILDKITE_COMPUTE_TYPE: 'self-hosted',
  };
}

function ofBuild({ build, webUrl, unblocker }: EnvironmentFacts): Variables {
  const person = build.author ?? build.creator;
  return {
    BUILDKITE_BUILD_ID: build.id,
    BUILDKITE_BUILD_NUMBER: String(build.number),
    BUILDKITE_BUILD_URL: webUrl,
    BUILDKITE_BUILD_AUTHOR: person?.name ?? '',
    BUILDKITE_BUILD_AUTHOR_EMAIL: person?.email ?? '',
    BUILDKITE_BUILD_CREATOR: build.creator?.name ?? build.author?.name ?? '',
    BUILDKITE_BUILD_CREATOR_EMAIL: build.creator?.email ?? build.author?.email ?? '',
    BUILDKITE_BUILD_CREATOR_TEAMS: build.creator?.teams.join(':') ?? '',
    BUILDKITE_SOURCE: build.source,
    BUILDKITE_BRANCH: build.branch,
    BUILDKITE_TAG: build.tag ?? '',
    BUILDKITE_COMMIT: build.commit,
    BUILDKITE_COMMIT_RESOLVED: build.commitResolved ? 'true' : 'false',
    BUILDKITE_MESSAGE: build.message ?? '',
    BUILDKITE_CLEAN_CHECKOUT: build.cleanCheckout ? 'true' : null,
    BUILDKITE_PULL_REQUEST: build.pullRequest?.id ?? 'false',
    BUILDKITE_PULL_REQUEST_BASE_BRANCH: build.pullRequest?.baseBranch ?? '',
    BUILDKITE_PULL_REQUEST_REPO: build.pullRequest?.repository ?? '',
    BUILDKITE_PULL_REQUEST_LABELS: build.pullRequest?.labels.join(',') ?? '',
    BUILDKITE_PULL_REQUEST_DRAFT: build.pullRequest?.draft ? 'true' : null,
    BUILDKITE_REBUILT_FROM_BUILD_ID: build.rebuiltFrom?.id ?? '',
    BUILDKITE_REBUILT_FROM_BUILD_NUMBER: build.rebuiltFrom ? String(build.rebuiltFrom.number) : '',
    BUILDKITE_TRIGGERED_FROM_BUILD_ID: build.triggeredFrom?.id ?? '',
    BUILDKITE_TRIGGERED_FROM_BUILD_NUMBER: build.triggeredFrom ? String(build.triggeredFrom.number) : '',
    BUILDKITE_TRIGGERED_FROM_BUILD_PIPELINE_SLUG: build.triggeredFrom?.pipelineSlug ?? '',
    BUILDKITE_UNBLOCKER: unblocker?.name ?? null,
    BUILDKITE_UNBLOCKER_EMAIL: unblocker?.email ?? null,
    BUILDKITE_UNBLOCKER_ID: unblocker?.id ?? null,
    BUILDKITE_UNBLOCKER_TEAMS: unblocker?.teams.join(':') ?? null,
  };
}

/** Variables about the event of a source provider, where one made the build. */
function ofEvent({ build: { conditions }, pipeline }: EnvironmentFacts): Variables {
  const fact = (name: string) => {
    const value = conditions[name];
    return typeof value === 'string' ? value : null;
  };
  const github = pipeline.providerId.startsWith('github');
  return {
    BUILDKITE_MERGE_QUEUE_BASE_BRANCH: fact('build.merge_queue.base_branch'),
    BUILDKITE_MERGE_QUEUE_BASE_COMMIT: fact('build.merge_queue.base_commit'),
    BUILDKITE_GITHUB_EVENT: github ? fact('build.source_event') : null,
    BUILDKITE_GITHUB_ACTION: github ? fact('build.source_action') : null,
  };
}

function ofJob({ job, step, group }: EnvironmentFacts): Variables {
  return {
    BUILDKITE_JOB_ID: job.id,
    BUILDKITE_LABEL: job.label ?? '',
    BUILDKITE_COMMAND: job.command ?? '',
    BUILDKITE_SCRIPT_PATH: job.command ?? '',
    BUILDKITE_ARTIFACT_PATHS: job.artifactPaths,
    BUILDKITE_TIMEOUT: job.timeoutInMinutes === null ? 'false' : String(job.timeoutInMinutes),
    BUILDKITE_RETRY_COUNT: String(job.retriesCount ?? 0),
    BUILDKITE_STEP_ID: step.id,
    // Empty where there is none, since hooks with `set -u` end at a variable that is not set.
    BUILDKITE_STEP_KEY: step.key ?? '',
    BUILDKITE_STEP_IDENTIFIER: step.key ?? '',
    BUILDKITE_IMAGE: step.image,
    BUILDKITE_PARALLEL_JOB: job.parallelGroupIndex === null ? null : String(job.parallelGroupIndex),
    BUILDKITE_PARALLEL_JOB_COUNT: job.parallelGroupTotal === null ? null : String(job.parallelGroupTotal),
    BUILDKITE_GROUP_ID: group?.id ?? null,
    BUILDKITE_GROUP_KEY: group?.key ?? null,
    BUILDKITE_GROUP_LABEL: group?.label ?? null,
    // The text `null` fails the job, so no plugins is no variable.
    BUILDKITE_PLUGINS: job.plugins && job.plugins.length > 0 ? JSON.stringify(job.plugins) : null,
  };
}

function ofAgent({ agent }: EnvironmentFacts): Variables {
  if (!agent) return {};
  const tags = new Map<string, string>([['QUEUE', 'default']]);
  for (const tag of agent.metaData) {
    const at = tag.indexOf('=');
    if (at > 0)
      tags.set(
        tag
          .slice(0, at)
          .toUpperCase()
          .replace(/[^A-Z0-9]/g, '_'),
        tag.slice(at + 1),
      );
  }
  return {
    BUILDKITE_AGENT_ID: agent.id,
    BUILDKITE_AGENT_NAME: agent.name,
    ...Object.fromEntries([...tags].map(([name, value]) => [`BUILDKITE_AGENT_META_DATA_${name}`, value])),
  };
}

/** Values arrive as any JSON; a variable is text. */
function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Host of a repository that is reached by ssh, written as a URL or as `user@host:path`; blank for any other. */
function sshHost(repository: string): string {
  const host = /^ssh:\/\/(?:[^@/]+@)?([^:/]+)/.exec(repository) ?? /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)/.exec(repository);
  return host?.[1] ?? '';
}

/**
 * Adds the variables that have a value. One by one: for lists of jobs, copies of whole environments are most of the
 * work.
 */
function add(env: Record<string, string>, variables: Variables): void {
  for (const name of Object.keys(variables)) {
    const value = variables[name];
    if (value !== null && value !== undefined) env[name] = value;
  }
}
