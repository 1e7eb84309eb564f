import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { tokensOf } from './organization-token.js';
import type { AccessToken } from './own-token.js';

/** The API tokens of members that work in an organization, newest first, never with their values; administrators only. */
export const listAccessTokens = defineOperation({
  name: 'access-token.list',
  summary: 'Lists the API tokens that work in an organization.',
  kind: 'query',
  scope: 'read_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { paging: asked }, { organization }: OrganizationSubject): Promise<Page<AccessToken>> =>
    paginate(context.db, tokensOf(context, organization.id), newestFirst<AccessToken>('t.id'), asked),
});
