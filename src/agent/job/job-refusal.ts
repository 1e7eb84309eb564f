import type { JobPayload, JobResult } from '../wire.js';

/** Reason for refusing a job, with the text for its log and the reported signal reason. */
export interface JobRefusal {
  message: string;
  result: JobResult;
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

/**
 * Finds a reason that makes a job impossible for this agent, before anything runs: a signature, which it cannot verify,
 * plugins, a missing variable (the repository may be missing without a checkout) or no command.
 */
export function refuse(job: JobPayload): JobRefusal | undefined {
  if (job.step?.signature != null) {
    return {
      message: 'This step is signed, and the bundled agent has no keys to verify it with.',
      result: { exitStatus: '-1', signalReason: 'signature_rejected' },
    };
  }
  if (hasPlugins(job.env['BUILDKITE_PLUGINS'])) {
    return {
      message: 'This step uses plugins, and the bundled agent does not run plugins. Use the open-source agent for it.',
      result: { exitStatus: '1', signalReason: 'agent_refused' },
    };
  }
  const skipsCheckout = job.env['BUILDKITE_SKIP_CHECKOUT'] === 'true';
  const missing = mandatory.find((name) => !job.env[name] && !(skipsCheckout && name === 'BUILDKITE_REPO'));
  if (missing !== undefined) return { message: `Missing ${missing}.`, result: { exitStatus: '1' } };
  if (!job.env['BUILDKITE_COMMAND']?.trim())
    return { message: 'Missing BUILDKITE_COMMAND: the step has no command.', result: { exitStatus: '1' } };
  return undefined;
}

/** Any value except absence and an empty list counts, so that unreadable plugins are refused and not skipped. */
function hasPlugins(text: string | undefined): boolean {
  return text !== undefined && !['', 'null', '[]'].includes(text.replace(/\s/g, ''));
}
