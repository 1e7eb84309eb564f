import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { definitionColumns } from '../pipelines/given-definition.js';
import { filledText, flag, text } from '../text.js';
import type { TemplateRow } from './find-template.js';

export const templateName = filledText(limits.nameLength);
/** YAML, verbatim. */
export const templateConfiguration = filledText(limits.configurationBytes);

/** What creating and updating a template both take: absent leaves alone, null means the default. */
export const templateFields = {
  description: text(limits.descriptionLength).nullish(),
  /** Whether those who are no administrators may assign it. */
  available: flag.nullish(),
};

/** Refuses a configuration that no pipeline could have, with the problems a pipeline would be refused with. */
export function checkConfiguration(configuration: string): void {
  definitionColumns({ configuration });
}

/** Remembers a change of a template for the event log. */
export function recordTemplate(context: Context, template: TemplateRow, verb: 'create' | 'update' | 'delete', data: Record<string, string | string[]> = {}): void {
  context.record({ organizationId: template.organizationId, subject: 'pipeline-template', subjectId: template.id, type: `pipeline-template.${verb}`, data: { name: template.name, ...data } });
}
