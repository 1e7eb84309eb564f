import { pluginLabel, readPlugins, type Plugin } from '../plugins/plugin.js';
import type { JobPayload, JobResult } from '../wire.js';

/** Reason for refusing a job, with the text for its log and the reported signal reason. */
export interface JobRefusal {
  message: string;
  result: JobResult;
}

/**
 * Finds the reason for which a job may not be what its step was signed to be: a signature that is wrong or, on an agent
 * with keys, missing; or one on an agent without keys to verify it.
 */
export async function refuseUnverified(job: JobPayload, keysFile: string | undefined): Promise<JobRefusal | undefined> {
  const message = await unverified(job, keysFile);
  return message === null ? undefined : { message, result: { exitStatus: '-1', signalReason: 'signature_rejected' } };
}

async function unverified(job: JobPayload, keysFile: string | undefined): Promise<string | null> {
  if (keysFile === undefined)
    return job.step?.signature == null ? null : 'This step is signed, and the agent has no keys to verify it with.';
  // Loaded by agents with keys only.
  const [{ findForgery }, { readKeySet }] = await Promise.all([
    import('../signing/verify-job.js'),
    import('../signing/key-set.js'),
  ]);
  try {
    return await findForgery(job, await readKeySet(keysFile));
  } catch (error) {
    return `The keys that verify signatures cannot be used: ${(error as Error).message}.`;
  }
}

const mandatory = [
  'BUILDKITE_JOB_ID',
  'BUILDKITE_REPO',
  'BUILDKITE_COMMIT',
  'BUILDKITE_BRANCH',
  'BUILDKITE_ORGANIZATION_SLUG',
  'BUILDKITE_PIPELINE_SLUG',
  'BUILDKITE_PIPELINE_PROVIDER',
];

/** Patterns of what an agent works for; an empty list allows everything. */
export interface Allowed {
  allowedRepositories: readonly RegExp[];
  allowedPlugins: readonly RegExp[];
}

/**
 * Finds a reason that makes a job impossible for this agent, before anything runs: a missing variable (the repository
 * may be missing without a checkout), a repository or plugin that the agent does not allow.
 */
export function refuse(job: JobPayload, allowed: Allowed): JobRefusal | undefined {
  const skipsCheckout = job.env['BUILDKITE_SKIP_CHECKOUT'] === 'true';
  const missing = mandatory.find((name) => !job.env[name] && !(skipsCheckout && name === 'BUILDKITE_REPO'));
  if (missing !== undefined) return { message: `Missing ${missing}.`, result: { exitStatus: '1' } };
  const message = forbidden(job, allowed);
  if (message === undefined) return undefined;
  return { message, result: { exitStatus: '-1', signalReason: 'agent_refused' } };
}

function forbidden({ env }: JobPayload, { allowedRepositories, allowedPlugins }: Allowed): string | undefined {
  const matches = (patterns: readonly RegExp[], ...texts: string[]): boolean =>
    patterns.length === 0 || patterns.some((pattern) => texts.some((text) => pattern.test(text)));
  const repository = env['BUILDKITE_REPO'] ?? '';
  if (!matches(allowedRepositories, repository)) return `This agent does not allow the repository ${repository}.`;
  if (allowedPlugins.length === 0 || !env['BUILDKITE_PLUGINS']?.trim()) return undefined;
  const plugin = pluginsOf(env['BUILDKITE_PLUGINS']).find(
    (each) => !matches(allowedPlugins, pluginLabel(each), `${each.scheme || 'https'}://${pluginLabel(each)}`),
  );
  return plugin && `This agent does not allow the plugin ${pluginLabel(plugin)}.`;
}

/** The plugins of a job; none of a list that is not readable, which fails the job when its plugins are prepared. */
function pluginsOf(text: string): Plugin[] {
  try {
    return readPlugins(text);
  } catch {
    return [];
  }
}
