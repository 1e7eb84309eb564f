import { readCronLine } from '../../../domain/pipelines/cron/cron-line.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { definitionFields } from '../fields.js';
import { filledText, flag, gitName, text } from '../../../domain/input-text.js';

const words = 'hourly|daily|midnight|weekly|monthly|yearly';
const field = '[0-9A-Za-z*][0-9A-Za-z*,/#-]*';

/** When a schedule makes builds. */
export const cronline = filledText(limits.cronlineLength)
  .superRefine((value, context) => {
    const read = readCronLine(value);
    if (!read.ok) context.addIssue({ code: 'custom', message: read.message });
  })
  // For documents: one of a few words, or five fields with a time zone after them or not.
  .meta({ pattern: `^\\s*(?:@(?:${words})|${field}(?:\\s+${field}){4}(?:\\s+[A-Za-z][A-Za-z0-9_+/-]*)?)\\s*$` });

/** Fields of a schedule in create and update; null or blank restores the default. */
export const scheduleFields = {
  label: text(limits.nameLength).nullish(),
  message: text(limits.messageBytes).nullish(),
  commit: gitName(limits.commitLength, { blank: true }).nullish(),
  branch: gitName(limits.branchLength, { blank: true }).nullish(),
  env: definitionFields.env,
  enabled: flag.nullish(),
};

export const defaultCommit = 'HEAD';

/** The tick after a time; refuses a line whose day never comes. */
export function nextTick(cronline: string, after: Date): Date {
  const read = readCronLine(cronline);
  const next = read.ok ? read.line.next(after) : null;
  if (!next) throw invalidField('cronline', read.ok ? 'names a time that never comes' : read.message);
  return next;
}
