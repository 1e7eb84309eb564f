import type { Context } from '../../../request/context.js';
import { applyDeclared, type Commands } from './apply-declared.js';
import { idOf } from './apply-pipelines.js';
import type { Ledger } from './ledger.js';
import type { PlannedTemplate } from './plan-declared.js';
import type { Within } from './within.js';

/** Applies the planned pipeline templates of an organization. */
export async function applyTemplates(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  templates: PlannedTemplate[],
  commands: Commands,
): Promise<void> {
  for (const [index, values] of templates.entries()) {
    const row = await context.db
      .selectFrom('pipeline_templates')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('name', '=', values.name)
      .orderBy('id')
      .executeTakeFirst();
    await applyDeclared(context, ledger, {
      kind: 'template',
      name: `${slug}/${values.name}`,
      path: `${path}.templates.${index}`,
      organizationId,
      values,
      current: row ?? null,
      create: async () =>
        idOf(
          await commands.createTemplate(context, { ...values, organization: { id: organizationId } }),
          'pipelineTemplate',
        ),
      update: (changed, id) => commands.updateTemplate(context, { ...changed, pipelineTemplate: { id } }),
    });
  }
}
