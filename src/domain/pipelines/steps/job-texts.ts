import type { PlannedJob } from './expand.js';

/** Columns of a job that its author wrote; a stored job has them under these names too. */
export interface JobTexts {
  label: string | null;
  command: string | null;
  env: unknown;
  plugins: unknown;
  agentQueryRules: readonly string[];
  artifactPaths: string | null;
}

/** Bytes of the texts that a job stores and that `jobTextBytes` bounds for all jobs of a build. */
export function jobTextBytes({ label, command, env, plugins, agentQueryRules, artifactPaths }: JobTexts): number {
  return (
    Buffer.byteLength(label ?? '') +
    Buffer.byteLength(command ?? '') +
    Buffer.byteLength(JSON.stringify(env)) +
    (plugins === null ? 0 : Buffer.byteLength(JSON.stringify(plugins))) +
    agentQueryRules.reduce((sum, rule) => sum + Buffer.byteLength(rule), 0) +
    Buffer.byteLength(artifactPaths ?? '')
  );
}

/** The same for a job that is planned from a step with these artifact paths. */
export const plannedTextBytes = ({ agents, ...job }: PlannedJob, artifactPaths: string | null): number =>
  jobTextBytes({ ...job, agentQueryRules: agents, artifactPaths });
