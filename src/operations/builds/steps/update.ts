import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { largestInteger } from '../../../domain/integer-column.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { changeBuild } from '../../../engine/state/builds.js';
import { limitOf } from '../../../domain/limits/raised-limits.js';
import { checkOutputFields, checkTextLength, readAnnotations } from '../../../domain/integrations/check-run.js';
import { queueCommitStatuses } from '../../../engine/notifications/queue-commit-statuses.js';
import { unfinishedJobStates } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import { wholeNumber } from '../../../domain/pipelines/steps/attributes/attributes.js';
import type { Json, JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { StepRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { changeJobsWhere } from '../../../engine/state/jobs.js';
import { lockCallersStep, stepInput } from '../../../resources/builds/steps/callers-step.js';

interface Change {
  value: string;
  append: boolean;
}

/** Updates of a step that are remembered, so that one sent again has no second effect. */
const uuidsKept = 50;

/**
 * PUT step: changes the label, the notifications, their check run or the priority of a step, in the build of the
 * calling job. A change that is
 * sent again with the same uuid has no second effect.
 */
export const updateStep = defineOperation({
  name: 'step.update',
  summary: 'Changes an attribute of a step for a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: stepInput.extend({
    uuid: z.string().max(100).nullish(),
    attribute: z.string().max(100),
    /** Absent for a blank one. */
    value: z.string().max(limits.messageBytes).nullish(),
    append: z.boolean().nullish(),
  }),
  subject: lockCallersStep,
  run: async (context, { uuid, attribute, value, append }, { step, job, build }): Promise<void> => {
    if (uuid && step.updateUuids.includes(uuid)) return;
    const change = { value: value ?? '', append: append ?? false };
    if (attribute === 'label') await changeLabel(context, step, change);
    else if (attribute === 'notify') await changeNotify(context, step, change);
    else if (attribute === 'priority') await changePriority(context, step, change);
    else if (isCheckAttribute(attribute)) await changeCheck(context, step, attribute, change);
    else
      throw wrongState(
        `The attribute "${attribute}" cannot be updated; it can be label, notify, priority or ` +
          `${checkPrefix}title, summary, text or annotations`,
      );
    // What is shown at the source provider has changed, though the state of the build has not.
    if (attribute !== 'priority') await queueCommitStatuses(context, [build]);
    if (uuid)
      await context.db
        .updateTable('steps')
        .set({ updateUuids: [...step.updateUuids, uuid].slice(-uuidsKept) })
        .where('id', '=', step.id)
        .execute();
    context.record({
      organizationId: step.organizationId,
      subject: 'build',
      subjectId: step.buildId,
      pipelineId: job.pipelineId,
      buildId: step.buildId,
      type: 'step.update',
      data: { step: step.id, attribute },
    });
  },
});

async function changeLabel(context: Context, step: StepRow, { value, append }: Change): Promise<void> {
  const label = append ? `${step.label ?? ''}${value}` : value;
  if (label.trim() === '') throw wrongState("The label can't be blank");
  if (label.length > limits.stepLabelLength)
    throw wrongState(`The label can have at most ${limits.stepLabelLength} characters`);
  await context.db
    .updateTable('steps')
    .set({ label, ...definitionOf(step, { label }) })
    .where('id', '=', step.id)
    .execute();
  // Jobs of a matrix have labels of their own, which only grow.
  await changeJobsWhere(
    context.db,
    { label: append ? sql<string>`coalesce(label, '') || ${value}::text` : label },
    (eb) => eb.and({ buildId: step.buildId, stepId: step.id }),
  );
}

async function changeNotify(context: Context, step: StepRow, { value, append }: Change): Promise<void> {
  let entries: Json;
  try {
    entries = JSON.parse(value) as Json;
  } catch {
    throw wrongState('The value of notify must be JSON: a notification, or a list of them');
  }
  const present = append ? notifyOf(step) : [];
  await writeNotify(context, step, [...present, ...(Array.isArray(entries) ? entries : [entries])]);
}

const notifyOf = (step: StepRow) => (step.definition['notify'] as Json[] | undefined) ?? [];

async function writeNotify(context: Context, step: StepRow, notify: Json[]): Promise<void> {
  if (notify.length > limits.notifyEntries)
    throw wrongState(`A step can have at most ${limits.notifyEntries} entries in notify`);
  const bytes = byteLength(JSON.stringify(notify));
  if (bytes > limitOf('notifyBytes'))
    throw wrongState(`notify of a step can have at most ${limitOf('notifyBytes')} bytes; this one would have ${bytes}`);
  await context.db.updateTable('steps').set(definitionOf(step, { notify })).where('id', '=', step.id).execute();
  if (notify.length > 0) await changeBuild(context, { id: step.buildId }, { stepNotify: true });
}

/** Changes a part of the output of the step's check run, in every `github_check` of its `notify`. */
async function changeCheck(context: Context, step: StepRow, attribute: string, change: Change): Promise<void> {
  const notify = notifyOf(step);
  const changed = notify.map((entry) => withCheckOutput(entry, attribute.slice(checkPrefix.length), change));
  if (changed.every((entry, index) => entry === notify[index]))
    throw wrongState('The step has no github_check in its notify, so there is no check run to change');
  await writeNotify(context, step, changed);
}

const checkPrefix = 'notify.github_check.output.';
const isCheckAttribute = (attribute: string) =>
  checkOutputFields.some((field) => attribute === `${checkPrefix}${field}`);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withCheckOutput(entry: Json, field: string, { value, append }: Change): Json {
  const whole: Json = entry === 'github_check' ? { github_check: {} } : entry;
  if (!isObject(whole) || !('github_check' in whole)) return entry;
  const check = isObject(whole['github_check']) ? whole['github_check'] : {};
  const output = isObject(check['output']) ? check['output'] : {};
  const present = append ? output[field] : undefined;
  const next = field === 'annotations' ? annotationsOf(present, value) : textOf(present, value, field);
  return { ...whole, github_check: { ...check, output: { ...output, [field]: next } } };
}

function textOf(present: Json | undefined, value: string, field: string): string {
  const text = `${typeof present === 'string' ? present : ''}${value}`;
  if (text.length > checkTextLength)
    throw wrongState(`The ${field} of a check can have at most ${checkTextLength} characters`);
  return text;
}

function annotationsOf(present: Json | undefined, value: string): Json[] {
  let added: Json;
  try {
    added = JSON.parse(value) as Json;
  } catch {
    throw wrongState('The annotations of a check must be JSON: an annotation, or a list of them');
  }
  const all = [...(Array.isArray(present) ? present : []), ...(Array.isArray(added) ? added : [added])];
  const { problem } = readAnnotations(all);
  if (problem !== null) throw wrongState(`The annotations of a check cannot be used: ${problem}`);
  return all;
}

async function changePriority(context: Context, step: StepRow, { value }: Change): Promise<void> {
  const priority = wholeNumber(value);
  if (priority === undefined || Math.abs(priority) > largestInteger)
    throw wrongState('The priority must be an integer');
  await context.db.updateTable('steps').set(definitionOf(step, { priority })).where('id', '=', step.id).execute();
  await changeJobsWhere(context.db, { priority }, (eb) =>
    eb.and([
      eb.and({ buildId: step.buildId, stepId: step.id, type: 'command' }),
      eb('startedAt', 'is', null),
      eb('state', 'in', [...unfinishedJobStates, 'waiting_failed', 'blocked_failed']),
    ]),
  );
}

/** The definition with other values; the step as it was written stays. */
const definitionOf = (step: StepRow, changes: JsonObject) => ({ definition: { ...step.definition, ...changes } });
