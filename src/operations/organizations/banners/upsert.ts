import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { filledText } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import type { BannerSubject } from '../../../resources/organizations/banners/find-banner.js';

/** Sets the banner of an organization: makes one, or changes the message of the one there is. */
export const upsertBanner = defineOperation({
  name: 'organization-banner.upsert',
  summary: 'Sets the banner that an organization shows in the console.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, message: filledText(limits.bannerLength) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { message }, { organization }: OrganizationSubject): Promise<BannerSubject> => {
    const { now } = context;
    const banner = await context.db
      .insertInto('organization_banners')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        message,
        createdById: context.userId,
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ message, updatedAt: now }))
      .returningAll()
      .executeTakeFirstOrThrow();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization-banner.upsert',
      data: { banner: banner.id },
    });
    return { organization, banner };
  },
});
