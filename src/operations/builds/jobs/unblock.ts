import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { isBuildStopped } from '../../../domain/builds/build-state.js';
import { isUnblockable } from '../../../domain/builds/job-state.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { forbidden, invalid, Problem, wrongState } from '../../../domain/problem.js';
import type { BlockStep } from '../../../domain/pipelines/steps/step.js';
import type { JobRow } from '../../../entities/database.js';
import { isId, jobAddress } from '../../../core/address.js';
import { findJob, rereadJob } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { advanceBuild } from '../../../engine/builds/advance-build.js';
import { stepDefinition } from '../../../engine/builds/load-facts.js';
import { moveJob } from '../../../engine/state/jobs.js';
import type { JobSubject } from '../../../core/subject.js';
import { isStorableJson, orMissing, text, unstorable } from '../../../domain/input-text.js';
import { writeMetaData } from '../../../resources/builds/meta-data/write.js';
import { unblockValues } from '../../../resources/builds/jobs/unblock-values.js';

const value = z.union(
  [z.string(), z.number(), z.boolean(), z.array(z.string()).max(limits.unblockFields), z.null()],
  'must be a string or a list of strings',
);

const input = z.object({
  job: jobAddress,
  /** User on whose behalf the block is released; the caller by default. */
  unblocker: text(limits.filterLength).nullish(),
  fields: z
    .record(z.string().max(limits.metaDataKeyLength), value, { error: orMissing('must be an object') })
    .refine(
      (fields) => Object.keys(fields).length <= limits.unblockFields,
      `must have at most ${limits.unblockFields} entries`,
    )
    .refine(
      (fields) => Object.values(fields).every((each) => byteLength(JSON.stringify(each)) <= limits.unblockFieldBytes),
      `values must be at most ${limits.unblockFieldBytes} bytes`,
    )
    .refine(isStorableJson, unstorable)
    .nullish(),
});

/** PUT unblock: releases a blocked block or input step and stores its fields as meta-data of the build. */
export const unblockJob = defineOperation({
  name: 'job.unblock',
  summary: 'Unblocks a block step.',
  kind: 'command',
  scope: 'write_builds',
  // Members of a block's `allowed_teams` need only read access, so the step decides below.
  access: 'visible',
  input,
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  permit: async (context, subject) => {
    if (subject.job.type === 'block' || subject.job.type === 'input')
      await requireUnblocker(context, subject, (await blockStep(context, subject.job))?.allowedTeams ?? []);
  },
  run: async (context, { unblocker, fields }, subject): Promise<JobSubject> => {
    const { build, job } = subject;
    const unblockable = isUnblockable(job.type, job.state);
    if (unblockable === null) throw new Problem('not_applicable', 'This job type cannot be unblocked');
    const definition = await blockStep(context, job);
    if (isBuildStopped(build.state)) throw wrongState('Jobs from canceled builds cannot be unblocked');
    if (!unblockable) throw wrongState("The job's state must be blocked");
    const unblockedById = await unblockingUser(context, subject, unblocker ?? null);
    const values = unblockValues(definition?.fields ?? [], fields ?? {});
    if (!values.ok) throw invalid(values.problems);
    await writeMetaData(context, job, Object.entries(values.metaData));
    await moveJob(context, job, 'unblock', { reason: null, set: { unblockedById } });
    const advanced = await advanceBuild(context, build, { reason: 'unblocked' });
    return { ...subject, build: advanced, job: (await rereadJob(context, job.id)) ?? job };
  },
});

async function blockStep(context: Context, { stepId }: JobRow): Promise<BlockStep | null> {
  const step = await context.load.step.load(stepId);
  return step && (stepDefinition(step) as BlockStep);
}

/** Requires build access; where the step names teams, requires membership in one of them instead. */
async function requireUnblocker(
  context: Context,
  { organization, level }: JobSubject,
  allowedTeams: string[],
): Promise<void> {
  if (context.actor.kind !== 'user' || standing(context.actor, organization.id) === 'admin') return;
  if (allowedTeams.length === 0) {
    if (level === 'read_only') throw forbidden();
    return;
  }
  const membership = await context.db
    .selectFrom('team_members as m')
    .innerJoin('teams as t', 't.id', 'm.teamId')
    .select(['t.slug', 't.id'])
    .where('m.organizationId', '=', organization.id)
    .where('m.userId', '=', context.actor.userId)
    .execute();
  if (!membership.some((team) => allowedTeams.includes(team.slug) || allowedTeams.includes(team.id))) throw forbidden();
}

async function unblockingUser(
  context: Context,
  { organization }: JobSubject,
  unblocker: string | null,
): Promise<string | null> {
  if (unblocker === null || unblocker === '') return context.userId;
  const refused = new Problem('wrong_state', 'Unblocker is not a valid user id for this organization');
  if (!isId(unblocker)) throw refused;
  const member = await context.db
    .selectFrom('organization_members')
    .select('userId')
    .where('organizationId', '=', organization.id)
    .where('userId', '=', unblocker)
    .executeTakeFirst();
  if (!member) throw refused;
  return member.userId;
}
