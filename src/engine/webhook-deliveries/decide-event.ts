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
import { buildOf } from './build-of-delivery.js';

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
  const guess = plannedBuild(event, pipeline, null);
  const guessed = await readFacts(context, scope, event, guess);
  const planned = plannedBuild(event, pipeline, guessed.pullRequest);
  // Mostly the build is the one that the event has without a pull request.
  const isOther = planned !== null && (planned.commit !== guess?.commit || planned.branch !== guess.branch);
  const facts = isOther ? await readFacts(context, scope, event, planned) : guessed;
  const newBuild = planned && buildOf(event, planned, facts.creatorId);
  const { cancelBranch, outcome, reason, rules } = decide({
    event,
    pipeline,
    build: planned,
    knownHead: facts.pullRequest?.commit ?? null,
    existingBuildNumber: planned && facts.existingNumber,
    isExistingNewest: facts.existingNumber !== null && facts.existingNumber === facts.newestNumber,
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

/** What the database knows of an event and of its build. */
interface EventFacts {
  /** That of a comment or merged result, or the open one of a pushed branch, the newest of several. */
  pullRequest: KnownPullRequest | null;
  /** The organization's member with the e-mail address of the commit's author, in any case. */
  creatorId: string | null;
  /** Number of the newest build of the same commit and branch. */
  existingNumber: number | null;
  /** Number of the newest build of the branch. */
  newestNumber: number | null;
}

const noFacts: EventFacts = { pullRequest: null, creatorId: null, existingNumber: null, newestNumber: null };

interface AskedFacts {
  pipelineId: string;
  organizationId: string;
  /** Of the pull request that was commented on, or that a merged result is of. */
  number: string | null;
  /** The branch that was pushed. */
  pushed: string | null;
  commit: string | null;
  branch: string | null;
  email: string | null;
}

const factsOfEvent = compiled<
  AskedFacts,
  {
    pullRequest: Row<'pull_requests'> | null;
    creatorId: string | null;
    existingNumber: number | null;
    newestNumber: number | null;
  }
>(
  'facts-of-event',
  (_db, { pipelineId, organizationId, number, pushed, commit, branch, email }) => sql`
    select coalesce((
      select ${rowAsJson('pull_requests', 'r')} from pull_requests r
      where r.pipeline_id = ${pipelineId} and r.number = ${number}
    ), (
      select ${rowAsJson('pull_requests', 'r')} from (
        select * from pull_requests where pipeline_id = ${pipelineId} and branch = ${pushed} and not fork and not closed
        order by number desc limit 1
      ) r
    )) as pull_request, (
      select u.id from users u join organization_members m on m.user_id = u.id
      where m.organization_id = ${organizationId} and lower(u.email) = lower(${email}::text)
      order by u.email = ${email} desc, u.id limit 1
    ) as creator_id, (
      select number from builds where pipeline_id =
        ${pipelineId} and commit = ${commit} and branch = ${branch}
        and culprit_search_id is null order by number desc limit 1
    ) as existing_number, (
      select number from builds where pipeline_id = ${pipelineId} and branch = ${branch}
        and culprit_search_id is null order by number desc limit 1
    ) as newest_number`,
);

/** Reads what the decision about an event and its build needs, with one statement; none for events without a commit. */
async function readFacts(
  { db }: Context,
  { organization, pipeline }: PipelineScope,
  event: ProviderEvent,
  build: PlannedBuild | null,
): Promise<EventFacts> {
  const isNumbered = event.kind === 'issue_comment' || event.kind === 'merged_result';
  const number = isNumbered ? (event.pullRequest?.number ?? null) : null;
  const pushed = event.kind === 'branch_push' ? event.branch : null;
  if (number === null && pushed === null && !build) return noFacts;
  const [row] = await factsOfEvent(db, {
    pipelineId: pipeline.id,
    organizationId: organization.id,
    number,
    pushed,
    commit: build?.commit ?? null,
    branch: build?.branch ?? null,
    email: build?.author?.email ?? null,
  });
  return {
    pullRequest: rowsFromJson(row?.pullRequest ? [row.pullRequest] : [])[0] ?? null,
    creatorId: row?.creatorId ?? null,
    existingNumber: row?.existingNumber ?? null,
    newestNumber: row?.newestNumber ?? null,
  };
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
