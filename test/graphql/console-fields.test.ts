import { Door } from './support.js';

describe('fields that the console asked for first', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  const ask = (selection: string, variables = {}) =>
    door.ask(
      `query ${'text' in variables ? '($text: String!)' : ''} { organization(slug: "acme") { ${selection} } }`,
      variables,
    );

  test('the next five times of a cron line are told before a schedule has it', async () => {
    const { data } = await ask('scheduleTimes(cronline: $text)', { text: '30 4 * * *' });
    const times: Date[] = data.organization.scheduleTimes.map((time: string) => new Date(time));
    expect(times).toHaveLength(5);
    expect(times.map((time) => time.toISOString().slice(11))).toEqual(Array(5).fill('04:30:00.000Z'));
    expect(new Set(times.map(Number)).size).toBe(5);
  });

  test('a cron line that cannot be read is refused with its reason', async () => {
    const { errors } = await ask('scheduleTimes(cronline: $text)', { text: 'at noon' });
    expect(errors?.[0]?.extensions.fields).toEqual([
      { field: 'cronline', code: expect.stringContaining('five fields') },
    ]);
  });

  test('a membership is found by its user, and none of a stranger', async () => {
    const { admin, outsider } = door.world;
    const { data } = await ask(
      `mine: member(user: "${admin.id}") { role user { uuid } } other: member(user: "${outsider.id}") { role }`,
    );
    expect(data.organization).toEqual({ mine: { role: 'ADMIN', user: { uuid: admin.id } }, other: null });
  });

  test('rate limits are listed with their windows', async () => {
    const { data } = await ask('rateLimits { api sharedBy limit windowSeconds used }');
    expect(
      data.organization.rateLimits.map(({ api, sharedBy, windowSeconds }: Record<string, unknown>) => [
        api,
        sharedBy,
        windowSeconds,
      ]),
    ).toEqual([
      ['rest', 'organization', 60],
      ['rest', 'user', 60],
      ['graphql', 'organization', 300],
      ['graphql', 'user', 300],
    ]);
  });
});
