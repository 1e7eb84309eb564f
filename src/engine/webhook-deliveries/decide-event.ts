import type { Context } from '../../context.js';
import { compiled } from '../../database/compiled.js';
import { evaluateCondition, type ConditionResult } from '../../domain/pipelines/conditions/condition.js';
import { type Decision, decide } from '../../domain/integrations/webhook-deliveries/decision.js';
import {
  type DeliveryPipeline,
  type KnownPullRequest,
  plannedBuild,
  type PlannedBuild,
} from '../../domain/integrations/webhook-deliveries/planned-build.js';
import type { ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { isSettingOn, type ProviderSettings, settingValue } from '../../domain/integrations/provider-settings.js';
import type { ProviderId } from '../../domain/integrations/provider.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../batch-loader.js';
import { conditionFacts } from '../new-builds/build-facts.js';
import type { NewBuild } from '../new-builds/new-build.js';
import { pipelineDefinition } from '../new-builds/parse-definition.js';
import { buildOf } from './build-of-delivery.js';

export interface PipelineScope {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

export interface DecidedEvent {
  decision: Decision;
  planned: PlannedBuild | null;
  /** The build to create; null if the event starts none. */
  newBuild: NewBuild | null;
}

/** Applies every build filter to one event, with facts from the database. Changes nothing: previews use it too. */
export async function decideEvent(context: Context, scope: PipelineScope, event: ProviderEvent): Promise<DecidedEvent> {
  const pipeline = deliveryPipeline(scope.pipeline);
  const planned = plannedBuild(event, pipeline, await knownPullRequest(context, scope.pipeline.id, event));
  const newBuild = planned && (await buildOf(context, scope.organization, event, planned));
  const decision = decide({
    event,
    pipeline,
    build: planned,
    existingBuildNumber: planned && (await existingBuild(context, scope.pipeline.id, planned)),
    condition: newBuild && (await condition(context, scope, pipeline, newBuild)),
  });
  return { decision, planned, newBuild };
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

/** Returns the open pull request of a pushed branch, the newest of several, or the one of a comment. */
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
