import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { flag } from '../../domain/input-text.js';

/**
 * Allows or forbids that pipelines of an organization are made public. Those that are public stay so. Allowing it again
 * changes nothing; nobody is named where it was allowed from the beginning, until somebody allows it.
 */
export const setPublicPipelines = defineOperation({
  name: 'organization.set-public-pipelines',
  summary: 'Allows or forbids public pipelines in an organization.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, enabled: flag }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { enabled }, { organization: before }: OrganizationSubject): Promise<OrganizationSubject> => {
    const known = enabled && before.publicPipelinesEnabledAt !== null;
    if (enabled === before.allowsPublicPipelines && (known || !enabled)) return { organization: before };
    const organization = await context.db
      .updateTable('organizations')
      .set({
        allowsPublicPipelines: enabled,
        publicPipelinesEnabledAt: enabled ? context.now : null,
        publicPipelinesEnabledById: enabled ? context.userId : null,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization.set-public-pipelines',
      data: { enabled },
    });
    return { organization };
  },
});
