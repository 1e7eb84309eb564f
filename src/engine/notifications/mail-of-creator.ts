import type { Context } from '../../request/context.js';
import { pipelineAccess } from '../../auth/authorize.js';
import { isBuildFinished } from '../../domain/builds/build-state.js';
import { isMailed } from '../../domain/integrations/build-mail.js';
import { mailTarget, type NotifyTarget } from '../../domain/integrations/notify-entries.js';
import type { BuildRow } from '../../entities/database.js';
import { previousResult } from './notification-facts.js';
import type { NotifiableEvent } from './subscribed-services.js';

/**
 * The mail that the creator of a build wants of its end, besides what `notify` sends; null if none is sent. Only
 * members get it who still see the pipeline.
 */
export async function mailOfCreator(context: Context, { event, build }: NotifiableEvent): Promise<NotifyTarget | null> {
  if (!context.services.mail || !build || event !== 'build.finished' || !isBuildFinished(build.state)) return null;
  const creator = await creatorWithWish(context, build);
  if (!creator || !(await isWanted(context, build, creator)) || !(await maySee(context, build, creator))) return null;
  return mailTarget(creator.email);
}

type Creator = NonNullable<Awaited<ReturnType<typeof creatorWithWish>>>;

async function creatorWithWish({ db }: Context, { creatorId, organizationId }: BuildRow) {
  if (creatorId === null) return undefined;
  return db
    .selectFrom('users as u')
    .innerJoin('organization_members as m', 'm.userId', 'u.id')
    .select(['u.id', 'u.email', 'u.buildMail', 'm.role'])
    .where('u.id', '=', creatorId)
    .where('u.buildMail', '<>', 'never')
    .where('m.organizationId', '=', organizationId)
    .executeTakeFirst();
}

async function isWanted(context: Context, build: BuildRow, { buildMail }: Creator): Promise<boolean> {
  const isFixed =
    buildMail === 'failed' && build.state === 'passed' && (await previousResult(context, build)) === 'failed';
  return isMailed(buildMail, build.state, isFixed);
}

/** Whether the console would show the build to its creator now. */
async function maySee(context: Context, build: BuildRow, { id, role }: Creator): Promise<boolean> {
  const organization = await context.load.organization.load(build.organizationId);
  const pipeline = await context.uncheckedRows.pipeline.load(build.pipelineId);
  if (!organization || !pipeline) return false;
  const creator = {
    kind: 'user',
    userId: id,
    apiTokenId: null,
    sessionId: null,
    scopes: new Set<string>(),
    organizations: 'all',
    roles: new Map([[organization.id, role]]),
  } as const;
  return (await pipelineAccess(context.db, creator, organization, pipeline)) !== null;
}
