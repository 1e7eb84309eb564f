import { defineOperation } from '../../../core/operation.js';
import { bannerInput, type BannerSubject, findBanner } from '../../../resources/organizations/banners/find-banner.js';

/** Returns the banner of an organization; throws `not_found` without one. */
export const getBanner = defineOperation({
  name: 'organization-banner.get',
  summary: 'Returns the banner that an organization shows in the console.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  refusal: 'sentence',
  input: bannerInput,
  subject: (context, input) => findBanner(context, input),
  run: async (_context, _input, subject: BannerSubject) => subject,
});
