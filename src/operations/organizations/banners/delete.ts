import { defineOperation } from '../../../core/operation.js';
import { bannerInput, type BannerSubject, findBanner } from '../../../resources/organizations/banners/find-banner.js';

/** Removes the banner of an organization. Throws `not_found` without one. */
export const deleteBanner = defineOperation({
  name: 'organization-banner.delete',
  summary: 'Removes the banner that an organization shows in the console.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: bannerInput,
  subject: (context, input) => findBanner(context, input),
  run: async (context, _input, subject: BannerSubject): Promise<BannerSubject> => {
    const { organization, banner } = subject;
    await context.db.deleteFrom('organization_banners').where('id', '=', banner.id).execute();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization-banner.delete',
      data: { banner: banner.id },
    });
    return subject;
  },
});
