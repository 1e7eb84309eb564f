import type { PipelineAccessLevel } from '../../src/entities/organizations/team-pipeline.js';
import type { Person } from '../support/world.js';
import { RestWorld } from './rest-world.js';

type Who = 'admin' | 'manager' | 'builder' | 'reader' | 'teamless' | 'elsewhere' | 'stranger';

let rest: RestWorld;
let build: string;
let job: string;
const people = {} as Record<Who, Person>;
const pipeline = '/organizations/acme/pipelines/app';

beforeAll(async () => {
  rest = await RestWorld.create({ teamsEnabled: true });
  const { world } = rest;
  const organizationId = world.organization.id;
  const { id: pipelineId } = await world.pipeline('steps: [{ command: make }]', {
    slug: 'app',
    createdById: world.admin.id,
  });
  const inTeam = async (accessLevel: PipelineAccessLevel): Promise<Person> => {
    const person = await world.person({ organizationId, role: 'member' });
    const teamId = await world.insert('teams', { organizationId, slug: accessLevel, name: accessLevel });
    await world.insert('team_members', { organizationId, teamId, userId: person.id, role: 'member' });
    await world.insert('team_pipelines', { organizationId, teamId, pipelineId, accessLevel });
    return person;
  };
  Object.assign(people, {
    admin: world.admin,
    manager: await inTeam('manage_build_and_read'),
    builder: await inTeam('build_and_read'),
    reader: await inTeam('read_only'),
    teamless: await world.person({ organizationId, role: 'member' }),
    stranger: world.outsider,
  });
  // An administrator whose token is for no organization it could use here.
  people.elsewhere = await world.personWithToken(world.admin.id, world.admin.email, { tokenOrganizations: [] });
  const { body } = await rest.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  build = `${pipeline}/builds/${body.number}`;
  job = `${build}/jobs/${body.jobs[0].id}`;
});
afterAll(() => rest.close());

type Call = ['get' | 'post' | 'put' | 'patch' | 'delete', () => string, object?];
const reads: Call[] = [
  ['get', () => pipeline],
  ['get', () => `${pipeline}/builds`],
  ['get', () => build],
  ['get', () => job],
  ['get', () => `${job}/log`],
  ['get', () => `${job}/env`],
];
/** Calls with the status that a permitted caller gets; the job has not failed, so retrying it is refused. */
const builds: [...Call, number][] = [
  ['post', () => `${pipeline}/builds`, { commit: 'HEAD', branch: 'main' }, 201],
  ['put', () => `${build}/rebuild`, {}, 200],
  ['put', () => `${job}/retry`, {}, 400],
  ['delete', () => `${job}/log`, {}, 204],
];
const edits: [...Call, number][] = [
  ['patch', () => pipeline, { description: 'x' }, 200],
  ['post', () => `${pipeline}/unarchive`, {}, 422],
];

const statuses = async (who: Who, calls: readonly (readonly [...Call, number?])[]) => {
  const found: number[] = [];
  for (const [method, path, body] of calls)
    found.push((await rest.request(method, path(), people[who]).send(body)).status);
  return found;
};
const all = (calls: readonly unknown[], status: number) => calls.map(() => status);

describe('levels of access to a pipeline', () => {
  const worked = (calls: [...Call, number][]) => calls.map((call) => call[3]);
  test.each<[Who, number | null, number | null, number | null]>([
    ['admin', null, null, null],
    ['manager', null, null, null],
    ['builder', null, null, 403],
    ['reader', null, 403, 403],
    ['teamless', 404, 404, 404],
    ['elsewhere', 404, 404, 404],
    ['stranger', 404, 404, 404],
  ])('the access level of the %s decides which reads, builds and edits are allowed', async (who, read, make, edit) => {
    expect(await statuses(who, reads)).toEqual(all(reads, read ?? 200));
    expect(await statuses(who, builds)).toEqual(make === null ? worked(builds) : all(builds, make));
    expect(await statuses(who, edits)).toEqual(edit === null ? worked(edits) : all(edits, edit));
    const listed = (await rest.get('/organizations/acme/pipelines', people[who])).body;
    expect(Array.isArray(listed) ? listed.length : 0).toBe(read === null ? 1 : 0);
  });

  test('the webhook URL is shown only to people who may edit, with a token that may', async () => {
    const shown = async (person: Person) => (await rest.get(pipeline, person)).body.provider.webhook_url !== '';
    const readOnly = await rest.world.personWithToken(people.manager.id, people.manager.email, {
      scopes: ['read_pipelines'],
    });
    expect(
      await Promise.all([people.admin, people.manager, people.builder, people.reader, readOnly].map(shown)),
    ).toEqual([true, true, false, false, false]);
  });

  test('a public pipeline can be read, and nothing more, by everyone whose token covers the organization', async () => {
    await rest.world.services.db
      .updateTable('pipelines')
      .set({ visibility: 'public' })
      .where('slug', '=', 'app')
      .execute();
    for (const who of ['stranger', 'teamless'] as const) {
      expect(await statuses(who, reads)).toEqual(all(reads, 200));
      expect(await statuses(who, [...builds, ...edits])).toEqual(all([...builds, ...edits], 403));
    }
    expect(await statuses('elsewhere', reads)).toEqual(all(reads, 404));
    expect((await rest.get('/organizations/acme', people.stranger)).status).toBe(404);
  });
});
