import type { Context } from '../../context.js';
import type { RuleAction } from '../../domain/agents/organization-rules.js';

/** Source and target pipeline of a rule. */
export interface RuleEnds {
  sourcePipelineId: string;
  targetPipelineId: string;
}

/** Whether a rule allows the source pipeline this action on the target. */
export async function isAllowedByRule(
  { db }: Pick<Context, 'db'>,
  action: RuleAction,
  { sourcePipelineId, targetPipelineId }: RuleEnds,
): Promise<boolean> {
  const rule = await db
    .selectFrom('rules')
    .select('id')
    .where('sourcePipelineId', '=', sourcePipelineId)
    .where('targetPipelineId', '=', targetPipelineId)
    .where('action', '=', action)
    .executeTakeFirst();
  return rule !== undefined;
}
