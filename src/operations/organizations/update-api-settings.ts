import { z } from 'zod';
import { addressList } from '../../auth/address-list.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { flag } from '../../domain/input-text.js';

/** Days without a use after which API tokens can lose their access. */
export const inactiveTokenDays = [30, 60, 90, 180, 365] as const;

const oneOfDays = `must be ${inactiveTokenDays.slice(0, -1).join(', ')} or ${inactiveTokenDays.at(-1)} days, or null`;

/**
 * Updates the conditions of an organization for API tokens. They take effect with the next request; sessions of the
 * console are no API tokens, so that an administrator whose own address is left out can correct it there.
 */
export const updateApiSettings = defineOperation({
  name: 'organization.update-api-settings',
  summary: 'Updates the API settings of an organization.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    allowedIpAddresses: addressList.nullish(),
    revokeInactiveTokensAfterDays: z.literal([...inactiveTokenDays], { error: oneOfDays }).nullish(),
    restrictUserApiTokenCreation: flag.nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization: before }: OrganizationSubject): Promise<OrganizationSubject> => {
    const settings = {
      ...(request.allowedIpAddresses === undefined ? {} : { allowedApiIpAddresses: request.allowedIpAddresses }),
      ...(request.revokeInactiveTokensAfterDays === undefined
        ? {}
        : { revokeInactiveTokensAfterDays: request.revokeInactiveTokensAfterDays }),
      ...(request.restrictUserApiTokenCreation == null
        ? {}
        : { restrictUserApiTokenCreation: request.restrictUserApiTokenCreation }),
    };
    if (Object.keys(settings).length === 0) return { organization: before };
    const organization = await context.db
      .updateTable('organizations')
      .set(settings)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'organization.update-api-settings',
      data: {
        allowed_ip_addresses: organization.allowedApiIpAddresses,
        revoke_inactive_tokens_after_days: organization.revokeInactiveTokensAfterDays,
        restrict_user_api_token_creation: organization.restrictUserApiTokenCreation,
      },
    });
    return { organization };
  },
});
