import type { BuildMail } from '../../src/domain/integrations/build-mail.js';
import { ChannelWorld } from '../support/channel-world.js';

describe('mail of the end of builds that one has created', () => {
  let channels: ChannelWorld;
  const take = (): string[] =>
    channels.mails.splice(0).map(({ to, subject }) => `${to} ${subject.replace(/: .*/, '')}`);
  beforeAll(async () => {
    channels = await ChannelWorld.create();
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  const choose = async (buildMail: BuildMail) => {
    const { admin, services } = channels.world;
    await services.db.updateTable('users').set({ buildMail }).where('id', '=', admin.id).execute();
  };
  const ended = async (slug: string, status: number, fields: object = {}) => {
    const build = await channels.build(slug, fields);
    await channels.runner.runAll(build.id, () => status);
    await channels.deliver();
    return build;
  };
  const pipeline = (slug: string, notify = '') =>
    channels.world.pipeline(`steps: [{ command: "a" }]\n${notify}`, { slug });

  test('is not sent unless it is asked for', async () => {
    await choose('never');
    await pipeline('quiet');
    await ended('quiet', 1);
    expect(take()).toEqual([]);
  });

  test('tells of failures and of their end, and is on the build', async () => {
    await choose('failed');
    await pipeline('own');
    await ended('own', 0);
    const failed = await ended('own', 1);
    await ended('own', 0);
    await ended('own', 0);
    const { email } = channels.world.admin;
    expect(take()).toEqual([`${email} [own] #2 on main failed`, `${email} [own] #3 on main passed`]);
    expect(await channels.outcomes(failed.id)).toEqual([
      { channel: 'email', target: email, event: 'build.finished', outcome: 'sent', detail: null },
    ]);
  });

  test('always tells of every end, once where the pipeline names the address too', async () => {
    await choose('always');
    const { email } = channels.world.admin;
    await pipeline('named', `notify: [{ email: "${email.toUpperCase()}", if: 'build.state != "failing"' }]`);
    await ended('named', 0);
    await ended('named', 1);
    expect(take()).toEqual([
      `${email.toUpperCase()} [named] #1 on main passed`,
      `${email.toUpperCase()} [named] #2 on main failed`,
    ]);
  });

  test('is sent where an entry for the same address says nothing, because its condition is false', async () => {
    await choose('failed');
    const { email } = channels.world.admin;
    await pipeline('elsewhere', `notify: [{ email: "${email}", if: 'build.branch == "release"' }]`);
    const build = await ended('elsewhere', 1);
    expect(take()).toEqual([`${email} [elsewhere] #1 on main failed`]);
    expect((await channels.outcomes(build.id)).map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
      'build.finished condition_false',
      'build.finished sent',
    ]);
  });

  test('tells nobody who is no member any more, or may not see the pipeline', async () => {
    await choose('always');
    await pipeline('left');
    const { admin, organization, services, member } = channels.world;
    const build = await channels.build('left');
    const asMember = await channels.build('left');
    await services.db.updateTable('builds').set({ creatorId: member.id }).where('id', '=', asMember.id).execute();
    await services.db.updateTable('users').set({ buildMail: 'always' }).where('id', '=', member.id).execute();
    await services.db.updateTable('organizations').set({ teamsEnabled: true }).execute();
    await services.db
      .deleteFrom('organization_members')
      .where('userId', '=', admin.id)
      .where('organizationId', '=', organization.id)
      .execute();
    for (const each of [build, asMember]) await channels.runner.runAll(each.id);
    await channels.deliver();
    expect(take()).toEqual([]);
  });
});
