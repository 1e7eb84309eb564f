import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { definitionColumns } from '../definition-columns.js';
import { filledText, flag, text } from '../../../domain/input-text.js';
import type { TemplateRow } from './find-template.js';

export const templateName = filledText(limits.nameLength);
/** YAML, verbatim. */
export const templateConfiguration = filledText(limits.configurationBytes);

/** Fields of a template in create and update: absent changes nothing, null restores the default. */
export const templateFields = {
  description: text(limits.descriptionLength).nullish(),
  /** Whether non-administrators may assign it. */
  available: flag.nullish(),
};

/** Refuses a configuration that no pipeline could have, with the problems a pipeline would be refused with. */
export async function checkConfiguration(context: Context, configuration: string): Promise<void> {
  await definitionColumns(context, { configuration });
}

/** Records the event of a change of a template. */
export function recordTemplate(
  context: Context,
  template: TemplateRow,
  verb: 'create' | 'update' | 'delete',
  data: Record<string, string | string[]> = {},
): void {
  context.record({
    organizationId: template.organizationId,
    subject: 'pipeline-template',
    subjectId: template.id,
    type: `pipeline-template.${verb}`,
    data: { name: template.name, ...data },
  });
}
