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
 * or a missing variable (the repository may be missing without a checkout).
 */
export function refuse(job: JobPayload): JobRefusal | undefined {
  if (job.step?.signature != null) {
    return {
      message: 'This step is signed, and the bundled agent has no keys to verify it with.',
      result: { exitStatus: '-1', signalReason: 'signature_rejected' },
    };
  }
  const skipsCheckout = job.env['BUILDKITE_SKIP_CHECKOUT'] === 'true';
  const missing = mandatory.find((name) => !job.env[name] && !(skipsCheckout && name === 'BUILDKITE_REPO'));
  if (missing !== undefined) return { message: `Missing ${missing}.`, result: { exitStatus: '1' } };
  return undefined;
}
