import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import type { Actor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { forbidden } from '../../../domain/problem.js';
import type { OrganizationRow, Row } from '../../../entities/database.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import { findOrganization } from '../../../core/find.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { isStorable } from '../../../domain/input-text.js';

const word = z.string().max(300).refine(isStorable);

/** By uuid or node id, inside an organization (by slug, or by id) or alone. */
export const templateAddress = z.union([
  z.object({ organization: word, id: word }),
  z.object({ organizationId: word, id: word }),
  z.object({ id: word }),
]);
export type TemplateAddress = z.output<typeof templateAddress>;

export type TemplateRow = Row<'pipeline_templates'>;

export interface TemplateSubject extends OrganizationSubject {
  pipelineTemplate: TemplateRow;
}

/** Throws `forbidden` where the organization's plan has no templates. */
export function requireTemplatePlan({ plan }: OrganizationRow): void {
  if (plan !== 'enterprise')
    throw forbidden("Your plan doesn't include pipeline templates. Upgrade your plan to use them.");
}

/** Whether an actor manages the templates of an organization and so sees every one, available or not. */
export function managesTemplates(actor: Actor, organizationId: string): boolean {
  const role = standing(actor, organizationId);
  return role === 'admin' || role === 'system';
}

/** Whether the caller may read a template: administrators may read all, members the available ones. */
export function templateIsVisible(
  actor: Actor,
  { organizationId, available }: Pick<TemplateRow, 'organizationId' | 'available'>,
): boolean {
  return managesTemplates(actor, organizationId) || (available && standing(actor, organizationId) === 'member');
}

/** Finds a template that the caller may see; `lock` takes the row lock of changes and assignments. */
export async function findTemplate(
  context: Context,
  address: TemplateAddress,
  { lock = false } = {},
): Promise<TemplateSubject | null> {
  const within = await organizationNamed(context, address);
  if (within === null) return null;
  // Said before the template is looked for: the plan is the answer whether there is one or not.
  if (within) requireTemplatePlan(within);
  const id = idFromEither(address.id, ['PipelineTemplate']);
  if (id === null) return null;
  let query = context.db.selectFrom('pipeline_templates').selectAll().where('id', '=', id);
  if (lock) query = query.forUpdate();
  const template = await query.executeTakeFirst();
  const organization = template ? await organizationOf(context, template, within?.slug) : null;
  if (!template || !organization || !templateIsVisible(context.actor, template)) return null;
  requireTemplatePlan(organization);
  return { organization, pipelineTemplate: template };
}

/** Finds the organization of an address: null for a missing one, undefined if the address names none. */
async function organizationNamed(
  context: Context,
  address: TemplateAddress,
): Promise<OrganizationRow | null | undefined> {
  if ('organization' in address)
    return (await findOrganization(context, { slug: address.organization }))?.organization ?? null;
  if ('organizationId' in address)
    return (await findOrganization(context, { id: address.organizationId }))?.organization ?? null;
  return undefined;
}
