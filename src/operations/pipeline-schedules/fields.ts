import { readCronLine } from '../../domain/cron/cron-line.js';
import { limits } from '../../domain/limits.js';
import { invalidField } from '../../domain/problem.js';
import { definitionFields } from '../pipelines/fields.js';
import { filledText, flag, text } from '../text.js';

/** When a schedule makes builds (rest-facts 4.11). */
export const cronline = filledText(limits.cronlineLength).superRefine((value, context) => {
  const read = readCronLine(value);
  if (!read.ok) context.addIssue({ code: 'custom', message: read.message });
});

/** What is said of a schedule and its builds; null, as blank, puts the default back (rest-facts 3.4). */
export const scheduleFields = {
  label: text(limits.nameLength).nullish(),
  message: text(limits.messageBytes).nullish(),
  commit: text(limits.commitLength).nullish(),
  branch: text(limits.branchLength).nullish(),
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
