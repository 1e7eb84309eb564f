import type { Context } from '../../context.js';
import { evaluateCondition, type ConditionResult } from '../../domain/conditional/condition.js';
import { type Decision, decide } from '../../domain/delivery/decision.js';
import { type DeliveryPipeline, type KnownPullRequest, plannedBuild, type PlannedBuild } from '../../domain/delivery/planned-build.js';
import type { ProviderEvent } from '../../domain/delivery/provider-event.js';
import { isSettingOn, type ProviderSettings, settingValue } from '../../domain/provider-settings.js';
import type { ProviderId } from '../../domain/provider.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { conditionFacts } from '../builds/build-facts.js';
import type { NewBuild } from '../builds/new-build.js';
import { pipelineDefinition } from '../pipelines/definition.js';
import { buildOf } from './build-of.js';

export interface Place {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

export interface DecidedEvent {
  decision: Decision;
  planned: PlannedBuild | null;
  /** The build to make; null where the event names none. */
  wanted: NewBuild | null;
}

/** Asks every rule about one event, with what the database knows beside it. Changes nothing: previews use it too. */
export async function decideEvent(context: Context, place: Place, event: ProviderEvent): Promise<DecidedEvent> {
  const pipeline = deliveryPipeline(place.pipeline);
  const planned = plannedBuild(event, pipeline, await knownPullRequest(context, place.pipeline.id, event));
  const wanted = planned && (await buildOf(context, place.organization, event, planned));
  const decision = decide({
    event,
    pipeline,
    build: planned,
    existingBuildNumber: planned && (await existingBuild(context, place.pipeline.id, planned)),
    condition: wanted && (await condition(context, place, pipeline, wanted)),
  });
  return { decision, planned, wanted };
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

/** The open pull request that a pushed branch belongs to, the newest of several, or the one that a comment is on. */
async function knownPullRequest(context: Context, pipelineId: string, event: ProviderEvent): Promise<KnownPullRequest | null> {
  let query = context.db.selectFrom('pull_requests').selectAll().where('pipelineId', '=', pipelineId);
  if (event.kind === 'issue_comment' && event.pullRequest) query = query.where('number', '=', event.pullRequest.number);
  else if (event.kind === 'branch_push' && event.branch !== null) query = query.where('branch', '=', event.branch).where('fork', '=', false).where('closed', '=', false);
  else return null;
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

async function existingBuild(context: Context, pipelineId: string, { commit, branch }: PlannedBuild): Promise<number | null> {
  const row = await context.db.selectFrom('builds').select('number').where('pipelineId', '=', pipelineId).where('commit', '=', commit).where('branch', '=', branch).orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.number ?? null;
}

async function condition(context: Context, place: Place, { providerId, settings }: DeliveryPipeline, wanted: NewBuild): Promise<ConditionResult | null> {
  const expression = isSettingOn(providerId, settings, 'filter_enabled') ? settingValue(providerId, settings, 'filter_condition') : null;
  if (typeof expression !== 'string' || expression.trim() === '') return null;
  const template = await loadOrNull(context.load.pipelineTemplate, place.pipeline.pipelineTemplateId);
  const definition = pipelineDefinition(place.pipeline, template);
  return evaluateCondition(expression, await conditionFacts(context, place, wanted, definition.ok ? definition.definition.env : {}), 'build_condition');
}
