import { revokeInactiveTokens } from '../../../src/background/organizations/revoke-inactive-tokens.js';
import { Door } from '../../graphql/support.js';
import { RestWorld } from '../rest-world.js';

const settings = '/organizations/acme/api-settings';
const day = 24 * 60 * 60;

describe('what an organization asks of API tokens', () => {
  let rest: RestWorld;
  let door: Door;
  beforeAll(async () => {
    rest = await RestWorld.create();
    door = await Door.onto(rest.world);
  });
  afterAll(async () => {
    await door.stop();
    await rest.close();
  });

  const patch = (body: object) => rest.request('patch', settings).send(body);
  /** As an administrator does in the console, whose sessions are no API tokens. */
  const reopen = () =>
    rest.world.services.db.updateTable('organizations').set({ allowedApiIpAddresses: null }).execute();

  test('without settings tokens work from anywhere for ever; only administrators see and change them', async () => {
    expect((await rest.get(settings)).body).toEqual({
      url: `http://slipway.test/v2${settings}`,
      allowed_ip_addresses: null,
      revoke_inactive_tokens_after_days: null,
      restrict_user_api_token_creation: false,
      features: { api_ip_allow_list: true, inactive_api_token_revocation: true },
    });
    await rest.request('patch', settings, rest.world.member).send({}).expect(403, { message: 'Forbidden' });
    const query = '{ organization(slug: "acme") { allowedApiIpAddresses revokeInactiveTokensAfter } }';
    expect(await door.data(query)).toEqual({
      organization: { allowedApiIpAddresses: null, revokeInactiveTokensAfter: 'NEVER' },
    });
    expect(await door.data(query, {}, rest.world.member)).toEqual({
      organization: { allowedApiIpAddresses: null, revokeInactiveTokensAfter: null },
    });
  });

  test('an organization is hidden from tokens that come from other addresses, on both surfaces', async () => {
    const set = (ipAddresses: string) =>
      door.data(
        'mutation ($input: OrganizationAPIIPAllowlistUpdateMutationInput!) { organizationApiIpAllowlistUpdate(input: $input) { organization { allowedApiIpAddresses } } }',
        { input: { organizationID: rest.world.organization.id, ipAddresses } },
      );
    expect(await set('127.0.0.0/8   ::1/128')).toEqual({
      organizationApiIpAllowlistUpdate: { organization: { allowedApiIpAddresses: '127.0.0.0/8 ::1/128' } },
    });
    await rest.get('/organizations/acme').expect(200);

    await patch({ allowed_ip_addresses: '192.0.2.0/24' }).expect(200);
    await rest.get('/organizations/acme').expect(404);
    expect((await rest.get('/organizations')).body).toEqual([]);
    expect(await door.data('{ organization(slug: "acme") { id } }')).toEqual({ organization: null });
    await reopen();
    await rest.get('/organizations/acme').expect(200);
    await patch({ allowed_ip_addresses: '192.0.2.0/33' }).expect(422, {
      message: 'Validation failed: Allowed ip addresses must be IP addresses or CIDR ranges separated by spaces',
    });
  });

  test('tokens that nobody uses lose their access for good, and the audit log says so', async () => {
    const { world } = rest;
    const idle = await world.person({ organizationId: world.organization.id });
    const mutation =
      'mutation ($input: OrganizationRevokeInactiveTokensAfterUpdateMutationInput!) { organizationRevokeInactiveTokensAfterUpdate(input: $input) { organization { revokeInactiveTokensAfter } } }';
    const input = { organizationId: world.organization.id, revokeInactiveTokensAfter: 'DAYS_30' };
    expect(await door.data(mutation, { input })).toEqual({
      organizationRevokeInactiveTokensAfterUpdate: { organization: { revokeInactiveTokensAfter: 'DAYS_30' } },
    });
    world.clock.advance(29 * day);
    expect(await revokeInactiveTokens(world.services)).toBe(0);
    await world.services.db
      .updateTable('api_tokens')
      .set({ lastUsedAt: world.clock.now() })
      .where('userId', '=', world.admin.id)
      .execute();
    world.clock.advance(2 * day);
    expect(await revokeInactiveTokens(world.services)).toBeGreaterThan(0);
    expect(await revokeInactiveTokens(world.services)).toBe(0);
    await rest.get('/organizations/acme').expect(200);
    await rest.request('get', '/organizations/acme', idle).expect(404);
    await patch({ revoke_inactive_tokens_after_days: null }).expect(200);
    await rest.request('get', '/organizations/acme', idle).expect(404);
    await patch({ revoke_inactive_tokens_after_days: 45 }).expect(422, {
      message: 'Validation failed: Revoke inactive tokens after days must be 30, 60, 90, 180 or 365 days, or null',
    });
  });
});
