import type { Context } from '../../../request/context.js';
import { actionOfType } from '../../../domain/agents/organization-rules.js';
import { applyDeclared, type Commands } from './apply-declared.js';
import { findPipeline, idOf } from './apply-pipelines.js';
import type { Ledger } from './ledger.js';
import type { PlannedRule } from './plan-declared.js';
import type { Within } from './within.js';

/** Applies the planned rules of an organization, after its pipelines. */
export async function applyRules(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  rules: PlannedRule[],
  commands: Commands,
): Promise<void> {
  for (const [index, { type, value, description }] of rules.entries()) {
    const current = await currentRule(context, organizationId, type, value);
    await applyDeclared(context, ledger, {
      kind: 'rule',
      name: `${slug}/${type}/${value.source_pipeline}/${value.target_pipeline}`,
      path: `${path}.rules.${index}`,
      organizationId,
      values: { conditions: value.conditions ?? undefined, description: description ?? undefined },
      current,
      create: async () =>
        idOf(
          await commands.createRule(context, { type, value, description, organization: { id: organizationId } }),
          'rule',
        ),
      update: (changed, id) =>
        commands.updateRule(context, {
          rule: { id },
          value: { ...value, conditions: value.conditions ?? current?.conditions },
          ...('description' in changed ? { description } : {}),
        }),
    });
  }
}

async function currentRule(context: Context, organizationId: string, type: string, value: PlannedRule['value']) {
  const action = actionOfType(type);
  const source = await findPipeline(context, organizationId, value.source_pipeline);
  const target = await findPipeline(context, organizationId, value.target_pipeline);
  if (!action || !source || !target) return null;
  const row = await context.db
    .selectFrom('rules')
    .selectAll()
    .where('sourcePipelineId', '=', source.id)
    .where('targetPipelineId', '=', target.id)
    .where('action', '=', action)
    .executeTakeFirst();
  return row ?? null;
}
