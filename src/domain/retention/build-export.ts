import { z } from 'zod';
import { filledText } from '../input-text.js';
import { limits } from '../limits/limits.js';

/** How exported builds are stored, by the name that clients of /v2 know. */
export const exportStrategies = ['s3', 'file'] as const;
export type ExportStrategy = (typeof exportStrategies)[number];

/** Where an organization has its builds exported to before retention deletes them. */
export interface BuildExport {
  strategyId: ExportStrategy;
  /** Name of the bucket, or of the folder. */
  location: string;
}

/** The setting as callers write it; `s3://bucket` and `file:folder` name the same as `bucket` and `folder`. */
export const buildExport = z.object({
  strategyId: z.enum(exportStrategies, { error: `must be one of: ${exportStrategies.join(', ')}` }),
  location: filledText(limits.exportLocationLength).transform((text) => text.replace(/^(s3:\/\/|file:)/, '')),
});

/** Whether two settings name the same place. */
export const isSamePlace = (a: BuildExport, b: BuildExport): boolean =>
  a.strategyId === b.strategyId && a.location === b.location;

/** What the exports of an organization begin with. */
const exportsOf = (organizationId: string): string => `buildkite/build-exports/org=${organizationId}/`;

/** The object that shows that exports of an organization can be written. */
export const deliverabilityTest = (organizationId: string): string =>
  `${exportsOf(organizationId)}deliverability-test.txt`;

/** What an export is called by: constant over its attempts, so that one that is repeated replaces what it began. */
export interface ExportedBuild {
  id: string;
  organizationId: string;
  pipelineId: string;
  createdAt: Date;
}

/** The folder of an exported build; the date is the day on which the build was created, in UTC. */
export function exportFolder({ id, organizationId, pipelineId, createdAt }: ExportedBuild): string {
  const date = createdAt.toISOString().slice(0, 10);
  return `${exportsOf(organizationId)}date=${date}/pipeline=${pipelineId}/build=${id}/`;
}

/** Files of an export, in its folder. */
export const exportFiles = {
  build: 'build.json.gz',
  annotations: 'annotations.json.gz',
  artifacts: 'artifacts.json.gz',
  stepUploads: 'step-uploads.json.gz',
  job: (id: string) => `jobs/job-${id}.json.gz`,
  log: (id: string) => `jobs/job-${id}.log`,
  /** Written last: without it an export is not whole. */
  manifest: 'manifest.json',
} as const;

const hourMs = 3_600_000;

/**
 * Milliseconds until a failed export is tried again: an hour, two, and so on up to a day; null once it failed so often
 * that an operator is to look first.
 */
export function retryOfExport(attempts: number): number | null {
  if (attempts >= limits.exportAttempts) return null;
  return Math.min(24, 2 ** (attempts - 1)) * hourMs;
}
