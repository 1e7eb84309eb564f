import { sql } from 'kysely';
import type { StepUploadRow } from '../database.js';

const columns = [
  'id',
  'buildId',
  'jobId',
  'state',
  'message',
  'replace',
  'jobsCount',
  'definitionBytes',
  'createdAt',
] as const;

/** An upload without its text, which may be long. */
export interface StepUpload extends Pick<StepUploadRow, (typeof columns)[number]> {
  definitionIsKept: boolean;
}

/** Selects a {@link StepUpload} of `step_uploads as u`. */
export const stepUploadSelection = [
  ...columns.map((name) => `u.${name}` as const),
  sql<boolean>`u.definition is not null`.as('definitionIsKept'),
] as const;
