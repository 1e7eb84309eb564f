import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import type { Context } from '../../../request/context.js';
import type { Row } from '../../../entities/database.js';

export interface BannerSubject extends OrganizationSubject {
  banner: Row<'organization_banners'>;
}

export const bannerInput = z.object({ organization: organizationAddress });

/** Finds the banner of an organization that the caller may see; null without one. */
export async function findBanner(
  context: Context,
  { organization: address }: z.output<typeof bannerInput>,
): Promise<BannerSubject | null> {
  const subject = await findOrganization(context, address);
  const banner =
    subject &&
    (await context.db
      .selectFrom('organization_banners')
      .selectAll()
      .where('organizationId', '=', subject.organization.id)
      .executeTakeFirst());
  return subject && banner ? { ...subject, banner } : null;
}
