import type { Context } from '../../request/context.js';
import type { RuleAction } from '../../domain/agents/organization-rules.js';
import { evaluateCondition } from '../../domain/pipelines/conditions/condition.js';
import type { BuildRow } from '../../entities/database.js';
import { notificationFacts } from '../notifications/notification-facts.js';

/** Source and target pipeline of a rule. */
export interface RuleEnds {
  sourcePipelineId: string;
  targetPipelineId: string;
}

/**
 * Whether a rule allows a build this action on the target pipeline: one between the two pipelines, all of whose
 * conditions are true of the build. A condition that cannot be evaluated is not true.
 */
export async function isAllowedByRule(
  context: Context,
  action: RuleAction,
  build: BuildRow,
  targetPipelineId: string,
): Promise<boolean> {
  const rule = await context.db
    .selectFrom('rules')
    .select('conditions')
    .where('sourcePipelineId', '=', build.pipelineId)
    .where('targetPipelineId', '=', targetPipelineId)
    .where('action', '=', action)
    .executeTakeFirst();
  if (!rule || rule.conditions.length === 0) return rule !== undefined;
  const facts = await notificationFacts(context, build);
  return rule.conditions.every((condition) => {
    const result = evaluateCondition(condition, facts, 'rule');
    return result.ok && result.value;
  });
}
