import { ConsoleWorld } from '../support/browser.js';
import { perform } from '../../src/core/operation.js';
import { createInvitations } from '../../src/operations/organizations/invitations/create.js';
import { resendInvitation } from '../../src/operations/organizations/invitations/resend.js';
import { revokeInvitation } from '../../src/operations/organizations/invitations/revoke.js';
import { admitUser } from '../../src/operations/organizations/sign-in/admit.js';
import { limits } from '../../src/domain/limits/limits.js';

const acme = { organization: { slug: 'acme' } };

describe('an invitation to join an organization', () => {
  let on: ConsoleWorld;
  beforeAll(async () => {
    on = await ConsoleWorld.open({ teamsEnabled: true });
  });
  afterAll(() => on.close());

  const invite = async (email: string, more: object = {}) => {
    const { invitations } = await on.world.perform(on.world.admin, createInvitations, {
      ...acme,
      emails: [email],
      ...more,
    });
    const [invitation] = invitations;
    if (!invitation) throw new Error('nobody was invited');
    return { ...invitation, path: new URL(invitation.acceptUrl).pathname };
  };
  const membershipsOf = async (email: string) =>
    on.world.services.db
      .selectFrom('organization_members as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .select(['m.organizationId', 'm.role'])
      .where('u.email', '=', email)
      .execute();

  test('makes an account for who has none, with its role and teams, and signs it in; once', async () => {
    const team = await on.world.insert('teams', {
      organizationId: on.world.organization.id,
      slug: 'core',
      name: 'Core',
    });
    const invited = await invite('grace@example.com', { role: 'admin', teams: [{ id: team, role: 'maintainer' }] });
    const browser = on.browser();
    const page = await browser.get(invited.path);
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('grace@example.com is invited to join Acme Inc'),
    ]);
    const weak = await browser.submit(invited.path, { name: 'Grace', password: 'p' });
    expect([weak.status, weak.text]).toEqual([
      422,
      expect.stringContaining('The password must be at least 8 characters. Please choose another one.'),
    ]);
    const refused = await browser.submit(invited.path, { name: '', password: 'correct horse' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Please enter your name')]);
    const joined = await browser.submit(invited.path, { name: 'Grace', password: 'correct horse' });
    expect([joined.status, joined.headers['location']]).toEqual([303, '/acme']);
    const { body } = await browser.query(
      '{ viewer { user { name email } organizations(first: 5) { nodes { slug } } } }',
    );
    expect(body.data?.viewer).toEqual({
      user: { name: 'Grace', email: 'grace@example.com' },
      organizations: { nodes: [{ slug: 'acme' }] },
    });
    expect(await membershipsOf('grace@example.com')).toEqual([
      { organizationId: on.world.organization.id, role: 'admin' },
    ]);
    const roles = await on.world.services.db
      .selectFrom('team_members')
      .select('role')
      .where('teamId', '=', team)
      .execute();
    expect(roles).toEqual([{ role: 'maintainer' }]);
    const audited = await on.world.services.db
      .selectFrom('audit_events as a')
      .innerJoin('users as u', 'u.id', 'a.actorId')
      .select(['u.email', 'a.organizationId', 'a.actorType', 'a.subject', 'a.subjectId'])
      .where('operation', '=', 'organization-invitation.accept')
      .execute();
    expect(audited).toEqual([
      {
        email: 'grace@example.com',
        organizationId: on.world.organization.id,
        actorType: 'user',
        subject: 'organization-invitation',
        subjectId: invited.id,
      },
    ]);
    const again = await on.browser().submit(invited.path, { name: 'Eve', password: 'correct horse' });
    expect([again.status, again.text]).toEqual([410, expect.stringContaining('was used already')]);
  });

  test('asks who has an account to sign in, and adds the account that is signed in', async () => {
    const { outsider } = on.world;
    await on.setPassword(outsider.id, 'p');
    const { path } = await invite(outsider.email);
    const browser = on.browser();
    const page = await browser.get(path);
    expect(page.text).toContain(`/login?return_to=${encodeURIComponent(path)}`);
    expect(page.text).not.toContain('New password');
    expect((await browser.submit(path, { name: 'Eve', password: 'correct horse' })).text).toContain(
      'There is an account',
    );
    await browser.signIn(outsider.email, 'p');
    expect((await browser.get(path)).text).toContain('Join with this account');
    expect((await browser.submit(path, {})).status).toBe(303);
    expect((await membershipsOf(outsider.email)).map(({ organizationId }) => organizationId)).toContain(
      on.world.organization.id,
    );
  });

  test('counts no more once it is revoked, sent again or expired, and is like one that never was', async () => {
    const status = async (path: string) => (await on.browser().get(path)).status;
    const [revoked, resent, late] = [await invite('a@x.test'), await invite('b@x.test'), await invite('c@x.test')];
    await on.world.perform(on.world.admin, revokeInvitation, { organizationInvitation: { id: revoked.id } });
    const { organizationInvitation } = await on.world.perform(on.world.admin, resendInvitation, {
      organizationInvitation: { id: resent.id },
    });
    expect([await status(revoked.path), await status(resent.path), await status('/invitations/none')]).toEqual([
      410, 410, 410,
    ]);
    expect(await status(new URL(organizationInvitation.acceptUrl).pathname)).toBe(200);
    expect(await status(late.path)).toBe(200);
    on.world.clock.advance(limits.invitationDays * 86_400);
    expect(await status(late.path)).toBe(410);
    const refusals = [
      on.world.perform(on.world.admin, revokeInvitation, { organizationInvitation: { id: late.id } }),
      on.world.perform(on.world.admin, resendInvitation, { organizationInvitation: { id: revoked.id } }),
    ];
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: 'wrong_state' });
  });

  test('is accepted by single sign-on that vouches for its address', async () => {
    await invite('Hedy@example.com');
    const admitted = await perform(admitUser, on.world.system(), {
      email: 'hedy@example.com',
      emailVerified: true,
      name: 'Hedy',
    });
    expect(admitted.joined).toEqual([on.world.organization.id]);
    expect(await membershipsOf('hedy@example.com')).toHaveLength(1);
  });

  test('is refused for members, for who is invited already, and for more than may wait; all of them or nobody', async () => {
    const asked = async (emails: string[]) =>
      on.world.perform(on.world.admin, createInvitations, { ...acme, emails }).then(
        () => 'invited',
        (error: { details: { fields: { code: string }[] } }) => error.details.fields[0]?.code,
      );
    expect(await asked(['new@x.test', on.world.member.email])).toBe(`${on.world.member.email} is a member already`);
    expect(await asked(['new@x.test'])).toBe('invited');
    expect(await asked(['other@x.test', 'NEW@x.test'])).toBe('new@x.test has already been invited');
    const many = Array.from({ length: limits.pendingInvitations }, (_, index) => `n${index}@x.test`);
    expect(await asked(many)).toBe(`at most ${limits.pendingInvitations} invitations can be pending`);
    await expect(
      on.world.perform(on.world.member, createInvitations, { ...acme, emails: ['m@x.test'] }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('is given to one of two visitors who open it at the same moment', async () => {
    const { path } = await invite('race@x.test');
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => on.browser().submit(path, { name, password: 'correct horse' })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
    expect(await membershipsOf('race@x.test')).toHaveLength(1);
  });
});
