import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAsJson, rowsFromJson } from '../../database/row-conversion.js';
import { evaluateCondition, type ConditionResult } from '../../domain/pipelines/conditions/condition.js';
import { decide } from '../../domain/integrations/webhook-deliveries/decision.js';
import { type EventDecision, shownEvent } from '../../domain/integrations/webhook-deliveries/event-decision.js';
import {
  type DeliveryPipeline,
  type KnownPullRequest,
  plannedBuild,
  type PlannedBuild,
} from '../../domain/integrations/webhook-deliveries/planned-build.js';
import type { ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { isSettingOn, type ProviderSettings, settingValue } from '../../domain/integrations/provider-settings.js';
import type { ProviderId } from '../../domain/integrations/provider.js';
import type { OrganizationRow, PipelineRow, Row } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { conditionFacts } from '../new-builds/build-facts.js';
import type { NewBuild } from '../new-builds/new-build.js';
import { pipelineDefinition } from '../new-builds/parse-definition.js';
import { buildOf, memberWithEmail } from './build-of-delivery.js';

export interface PipelineScope {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

export interface DecidedEvent {
  /** The decision as it is stored and shown, without the effects that carrying it out has. */
  decision: EventDecision;
  /** Branch whose builds the event cancels; null if it cancels none. */
  cancelBranch: string | null;
  /** The build to create; null if the event starts none. */
  newBuild: NewBuild | null;
}

/** Applies every build filter to one event, with facts from the database. Changes nothing: previews use it too. */
export async function decideEvent(context: Context, scope: PipelineScope, event: ProviderEvent): Promise<DecidedEvent> {
  const pipeline = deliveryPipeline(scope.pipeline);
  const facts = await readFacts(context, scope, event, plannedBuild(event, pipeline, null));
  const planned = plannedBuild(event, pipeline, facts.pullRequest);
  const email = planned?.author?.email ?? null;
  const creatorId =
    email === facts.email ? facts.creatorId : await memberWithEmail(context, scope.organization.id, email);
  const newBuild = planned && buildOf(event, planned, creatorId);
  const { cancelBranch, outcome, reason, rules } = decide({
    event,
    pipeline,
    build: planned,
    existingBuildNumber:
      planned && (facts.of(planned) ? facts.existingNumber : await existingBuild(context, scope.pipeline.id, planned)),
    condition: newBuild && (await condition(context, scope, pipeline, newBuild)),
  });
  const shown = shownEvent(event, planned?.branch ?? null);
  return {
    decision: { ...shown, outcome, reason, rules, buildId: null, canceledBuildIds: [] },
    cancelBranch,
    newBuild: outcome === 'build' ? newBuild : null,
  };
}

function deliveryPipeline(pipeline: PipelineRow): DeliveryPipeline {
  return {
    providerId: pipeline.providerId as ProviderId,
    settings: pipeline.providerSettings as ProviderSettings,
    repository: pipeline.repository,
    defaultBranch: pipeline.defaultBranch,
    branchConfiguration: pipeline.branchConfiguration,
    archived: pipeline.archivedAt !== null,
  };
}

const pullRequestByNumber = compiled(
  'pull-request-by-number',
  (db, { pipelineId, number }: { pipelineId: string; number: string }) =>
    db.selectFrom('pull_requests').selectAll().where('pipelineId', '=', pipelineId).where('number', '=', number),
);

/** Facts of the database about an event, and the fields of its build for which they were read. */
interface EventFacts {
  pullRequest: KnownPullRequest | null;
  /** The member with this e-mail address. */
  email: string | null;
  creatorId: string | null;
  existingNumber: number | null;
  /** Whether `existingNumber` is of this build's commit and branch. */
  of(planned: PlannedBuild): boolean;
}

const factsOfPush = compiled<
  { pipelineId: string; organizationId: string; pushed: string; commit: string; branch: string; email: string | null },
  { pullRequest: Row<'pull_requests'> | null; creatorId: string | null; existingNumber: number | null }
>(
  'facts-of-push',
  (_db, { pipelineId, organizationId, pushed, commit, branch, email }) => sql`
    select (
      select ${rowAsJson('pull_requests', 'r')} from (
        select * from pull_requests where pipeline_id = ${pipelineId} and branch = ${pushed} and not fork and not closed
        order by number desc limit 1
      ) r
    ) as pull_request, (
      select u.id from users u join organization_members m on m.user_id = u.id
      where m.organization_id = ${organizationId} and u.email = ${email} limit 1
    ) as creator_id, (
      select number from builds where pipeline_id =
        ${pipelineId} and commit = ${commit} and branch = ${branch} order by number desc limit 1
    ) as existing_number`,
);

/**
 * Reads what the decision about an event needs. Of a push that is one statement: its build is mostly the one that it
 * has without a pull request, `guess`.
 */
async function readFacts(
  context: Context,
  { organization, pipeline }: PipelineScope,
  event: ProviderEvent,
  guess: PlannedBuild | null,
): Promise<EventFacts> {
  if (event.kind === 'branch_push' && event.branch !== null && guess) {
    const { commit, branch } = guess;
    const email = guess.author?.email ?? null;
    const of = { pipelineId: pipeline.id, organizationId: organization.id, pushed: event.branch };
    const [row] = await factsOfPush(context.db, { ...of, commit, branch, email });
    return {
      pullRequest: rowsFromJson(row?.pullRequest ? [row.pullRequest] : [])[0] ?? null,
      email,
      creatorId: row?.creatorId ?? null,
      existingNumber: row?.existingNumber ?? null,
      of: (planned) => planned.commit === commit && planned.branch === branch,
    };
  }
  const nothing = { email: null, creatorId: null, existingNumber: null, of: () => false };
  return { ...nothing, pullRequest: await knownPullRequest(context, pipeline.id, event) };
}

/** Returns the pull request of a comment, or the open one of a pushed branch, the newest of several. */
async function knownPullRequest(
  { db }: Context,
  pipelineId: string,
  event: ProviderEvent,
): Promise<KnownPullRequest | null> {
  if (event.kind === 'issue_comment' && event.pullRequest)
    return (await pullRequestByNumber(db, { pipelineId, number: event.pullRequest.number }))[0] ?? null;
  if (event.kind === 'branch_push' && event.branch !== null)
    return (await pullRequestOfBranch(db, { pipelineId, branch: event.branch }))[0] ?? null;
  return null;
}

const pullRequestOfBranch = compiled(
  'pull-request-of-branch',
  (db, { pipelineId, branch }: { pipelineId: string; branch: string }) =>
    db
      .selectFrom('pull_requests')
      .selectAll()
      .where('pipelineId', '=', pipelineId)
      .where('branch', '=', branch)
      .where('fork', '=', false)
      .where('closed', '=', false)
      .orderBy('number', 'desc')
      .limit(1),
);

const newestBuildOf = compiled(
  'newest-build-of-commit',
  (db, { pipelineId, commit, branch }: { pipelineId: string; commit: string; branch: string }) =>
    db
      .selectFrom('builds')
      .select('number')
      .where('pipelineId', '=', pipelineId)
      .where('commit', '=', commit)
      .where('branch', '=', branch)
      .orderBy('number', 'desc')
      .limit(1),
);

async function existingBuild(
  { db }: Context,
  pipelineId: string,
  { commit, branch }: PlannedBuild,
): Promise<number | null> {
  const [row] = await newestBuildOf(db, { pipelineId, commit, branch });
  return row?.number ?? null;
}

async function condition(
  context: Context,
  scope: PipelineScope,
  { providerId, settings }: DeliveryPipeline,
  newBuild: NewBuild,
): Promise<ConditionResult | null> {
  const expression = isSettingOn(providerId, settings, 'filter_enabled')
    ? settingValue(providerId, settings, 'filter_condition')
    : null;
  if (typeof expression !== 'string' || expression.trim() === '') return null;
  const template = await loadOrNull(context.load.pipelineTemplate, scope.pipeline.pipelineTemplateId);
  const definition = await pipelineDefinition(context, scope.pipeline, template);
  return evaluateCondition(
    expression,
    await conditionFacts(context, scope, newBuild, definition.ok ? definition.definition.env : {}),
    'build_condition',
  );
}
