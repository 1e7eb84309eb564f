import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { tokensOf } from '../../../resources/organizations/api-tokens/organization-token.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';

/**
 * Lists the members' API tokens that work in an organization, newest first, without their values; administrators only.
 */
export const listAccessTokens = defineOperation({
  name: 'access-token.list',
  summary: 'Lists the API tokens that work in an organization.',
  kind: 'query',
  scope: 'read_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { paging: page }, { organization }: OrganizationSubject): Promise<Page<AccessToken>> =>
    paginate(context.db, tokensOf(context, organization.id), newestFirst<AccessToken>('t.id'), page),
});
