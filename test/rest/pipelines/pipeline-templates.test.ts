import type { Data } from '../../support/both-surfaces.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

const all = '/organizations/acme/pipeline-templates';
const yaml = 'steps:\n  - command: from the template\n';

describe('pipeline templates', () => {
  let rest: RestWorld;
  beforeAll(async () => (rest = await RestWorld.create({ plan: 'enterprise' })));
  afterAll(() => rest.close());

  let made = 0;
  const create = async (more: object = {}): Promise<Data> => {
    made += 1;
    const { status, body } = await rest.post(all, { name: `T ${made}`, configuration: yaml, ...more });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  const patch = (id: string, body: object, person = rest.world.admin) =>
    rest.request('patch', `${all}/${id}`, person).send(body);
  const pipeline = (more: object, person = rest.world.admin) => {
    made += 1;
    return rest.post(
      '/organizations/acme/pipelines',
      { name: `P ${made}`, repository: 'https://github.com/acme/app', ...more },
      person,
    );
  };
  const message = (reason: string) => ({ message: `Validation failed: ${reason}` });

  test('a template is created from the required fields in the documented shape [api-v2:fhijkp,lgeico,hhhjpm,knejaa,adfipn,jjiidj,hmhmdd,akhldg,kbgjdk,dkdkci,mjdiaj,apmhia,aimcke,bnkdjp]', async () => {
    const { status, body } = await rest.post(all, { name: 'Go', configuration: yaml });
    expect(status).toBe(201);
    expectShape('PipelineTemplate', body);
    expect(body).toMatchObject({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      graphql_id: Buffer.from(`PipelineTemplate---${body.uuid}`).toString('base64'),
      name: 'Go',
      description: '',
      configuration: yaml,
      available: false,
      url: `http://slipway.test/v2${all}/${body.uuid}`,
      web_url: `http://slipway.test/organizations/acme/pipeline-templates/${body.uuid}`,
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-02T03:04:05.000Z',
      created_by: { id: rest.world.admin.id },
      updated_by: { id: rest.world.admin.id },
    });
    expect(Object.keys(body)).toEqual([
      'uuid',
      'graphql_id',
      'name',
      'description',
      'configuration',
      'available',
      'url',
      'web_url',
      'created_at',
      'created_by',
      'updated_at',
      'updated_by',
    ]);
    expectShape('User', body.created_by);
  });

  test('a template is created with optional fields and read by its UUID [api-v2:alieac,adfipn,hmhmdd,epppfl]', async () => {
    const template = await create({ description: 'for Go', available: true });
    expect(template).toMatchObject({ description: 'for Go', available: true });
    const read = await rest.get(`${all}/${template.uuid}`);
    expect([read.status, read.body]).toEqual([200, template]);
    expect((await rest.get(`${all}/${template.graphql_id}`)).body).toEqual(template);
  });

  test('administrators list all templates, and other members the available ones [api-v2:cenbec,ickpln]', async () => {
    const open = await create({ available: true });
    const closed = await create();
    const { body: whole, status } = await rest.get(`${all}?per_page=100`);
    expect(status).toBe(200);
    expect(whole).toEqual(expect.arrayContaining([open, closed]));
    expect(whole.map((each: Data) => each.name)).toEqual(whole.map((each: Data) => each.name).sort());
    const { body: seen } = await rest.get(all, rest.world.member);
    expect(seen.map((each: Data) => each.uuid)).toContain(open.uuid);
    expect(seen.every((each: Data) => each.available)).toBe(true);
    const page = await rest.get(`${all}?per_page=1`);
    expect([page.body.length, page.headers['link']]).toEqual([1, expect.stringContaining('rel="next"')]);
  });

  test('an unavailable template is hidden from members, who may not manage any template [api-v2:epppfl,ickpln]', async () => {
    const { member, outsider } = rest.world;
    const closed = await create();
    const open = await create({ available: true });
    const absent = await rest.get(`${all}/${member.id}`, member);
    expect([absent.status, absent.body]).toEqual([404, { message: 'Not Found' }]);
    for (const reply of [
      await rest.get(`${all}/${closed.uuid}`, member),
      await patch(closed.uuid, { name: 'x' }, member),
      await rest.request('delete', `${all}/${closed.uuid}`, member),
      await rest.get(`${all}/${open.uuid}`, outsider),
    ]) {
      expect([reply.status, reply.text]).toEqual([404, absent.text]);
    }
    expect((await rest.get(`${all}/${open.uuid}`, member)).body).toEqual(open);
    for (const reply of [
      await rest.post(all, { name: 'x', configuration: yaml }, member),
      await patch(open.uuid, { name: 'x' }, member),
      await rest.request('delete', `${all}/${open.uuid}`, member),
    ]) {
      expect([reply.status, reply.body]).toEqual([403, { message: 'Forbidden' }]);
    }
    expect((await rest.get(`${all}/${open.uuid}`)).body).toEqual(open);
  });

  test('updating a template changes only the given fields and records who changed it and when [api-v2:apmhia,aimcke,ikibeo]', async () => {
    const template = await create({ description: 'old' });
    rest.world.clock.advance(1);
    const other = await rest.world.person({ organizationId: rest.world.organization.id, role: 'admin' });
    const { status, body } = await patch(template.uuid, { available: true }, other);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...template,
      available: true,
      updated_at: '2026-01-02T03:04:06.000Z',
      updated_by: expect.objectContaining({ id: other.id }),
    });
    const changed = await patch(template.uuid, {
      name: 'New',
      description: null,
      configuration: 'steps: []',
      available: false,
      unknown: 1,
    });
    expect(changed.body).toMatchObject({ name: 'New', description: '', configuration: 'steps: []', available: false });
    expect((await patch(template.uuid, {})).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, 'Name is missing'],
    ['a blank name', { name: ' ' }, "Name can't be blank"],
    ['a long name', { name: 'x'.repeat(256) }, 'Name is too long (maximum is 255 characters)'],
    ['no configuration', { configuration: undefined }, 'Configuration is missing'],
    ['a blank configuration', { configuration: '' }, "Configuration can't be blank"],
    ['YAML that cannot be read', { configuration: 'steps: [' }, 'Configuration '],
    ['invalid steps', { configuration: 'steps: [{ command: make, if: "1 +" }]' }, 'Configuration steps[0].if: '],
    ['availability that is not a flag', { available: 'yes' }, 'Available must be true or false'],
    ['two things', { name: 1, description: 2 }, 'Name must be a string, Description must be a string'],
  ])('a template with %s is refused with its reason [api-v2:bnkdjp,ikibeo,dokaej]', async (_what, given, reason) => {
    const { body: before } = await rest.get(`${all}?per_page=100`);
    const posted = await rest.post(all, { name: 'Refused', configuration: yaml, ...given });
    expect([posted.status, posted.body]).toEqual([422, { message: expect.stringContaining(message(reason).message) }]);
    if (Object.values(given)[0] !== undefined) {
      const template = before[0];
      const patched = await patch(template.uuid, given);
      expect([patched.status, patched.body]).toEqual([422, posted.body]);
    }
    expect((await rest.get(`${all}?per_page=100`)).body).toEqual(before);
  });

  test('a template is deleted only when no pipeline uses it [api-v2:gmpjpi,icppca,lplega]', async () => {
    const template = await create();
    const { body: app } = await pipeline({ pipeline_template_uuid: template.uuid });
    expect(app.pipeline_template_uuid).toBe(template.uuid);
    const refused = await rest.request('delete', `${all}/${template.uuid}`);
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: 'The pipeline template is assigned to a pipeline and cannot be deleted.' },
    ]);
    expect((await rest.get(`${all}/${template.uuid}`)).status).toBe(200);
    const freed = await rest
      .request('patch', `/organizations/acme/pipelines/${app.slug}`)
      .send({ pipeline_template_uuid: null, configuration: 'steps: []' });
    expect([freed.status, freed.body.pipeline_template_uuid]).toEqual([200, null]);
    const deleted = await rest.request('delete', `${all}/${template.uuid}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await rest.get(`${all}/${template.uuid}`)).status).toBe(404);
    expect((await rest.request('delete', `${all}/${template.uuid}`)).status).toBe(404);
  });

  test('members may assign only available templates [api-v2:kpbfhl,hmhmdd,opeenk,ickpln]', async () => {
    const { member } = rest.world;
    const open = await create({ available: true });
    const closed = await create();
    expect((await pipeline({ pipeline_template_uuid: open.uuid }, member)).body.pipeline_template_uuid).toBe(open.uuid);
    const refused = await pipeline({ pipeline_template_uuid: closed.uuid }, member);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'pipeline_template_uuid', code: 'does not exist' }],
    ]);
    const { body: own } = await pipeline({ configuration: 'steps: []' }, member);
    expect(
      (
        await rest
          .request('patch', `/organizations/acme/pipelines/${own.slug}`, member)
          .send({ pipeline_template_uuid: closed.uuid })
      ).status,
    ).toBe(422);
    expect(
      (
        await rest
          .request('patch', `/organizations/acme/pipelines/${own.slug}`)
          .send({ pipeline_template_uuid: closed.uuid })
      ).body.pipeline_template_uuid,
    ).toBe(closed.uuid);
  });

  test('a build runs the template as it is when the build is created, whatever steps the pipeline has [api-v2:jjiidj,opeenk]', async () => {
    const template = await create({ configuration: 'env: { FROM: template }\nsteps:\n  - command: one $FROM\n' });
    const { body: app } = await pipeline({
      pipeline_template_uuid: template.uuid,
      configuration: 'steps: [{ command: own }]',
    });
    const commands = async () => {
      const { status, body } = await rest.post(`/organizations/acme/pipelines/${app.slug}/builds`, {
        commit: 'HEAD',
        branch: 'main',
      });
      return [status, ...body.jobs.map((job: Data) => job.command)];
    };
    expect(await commands()).toEqual([201, 'one template']);
    expect((await rest.get(`/organizations/acme/pipelines/${app.slug}`)).body.steps).toMatchObject([
      { type: 'script', command: 'one $FROM' },
    ]);
    await patch(template.uuid, { configuration: 'steps:\n  - command: two\n  - command: three\n' });
    expect(await commands()).toEqual([201, 'two', 'three']);
    await rest.request('patch', `/organizations/acme/pipelines/${app.slug}`).send({ pipeline_template_uuid: null });
    expect(await commands()).toEqual([201, 'own']);
  });

  test('each template request needs its own scope and no other [api-v2:cenbec,epppfl,bnkdjp,ikibeo,gmpjpi,odcbgf,koajbe]', async () => {
    const { admin } = rest.world;
    const reader = await rest.world.personWithToken(admin.id, admin.email, { scopes: ['read_pipeline_templates'] });
    const writer = await rest.world.personWithToken(admin.id, admin.email, { scopes: ['write_pipeline_templates'] });
    const { uuid } = await create();
    const asked = async (person: typeof admin) =>
      Promise.all([
        rest.get(all, person),
        rest.get(`${all}/${uuid}`, person),
        rest.post(all, { name: 'x', configuration: yaml }, person),
        patch(uuid, { name: 'x' }, person),
      ]);
    expect((await asked(reader)).map(({ status }) => status)).toEqual([200, 200, 403, 403]);
    expect((await asked(writer)).map(({ status }) => status)).toEqual([403, 403, 201, 200]);
    expect((await rest.request('delete', `${all}/${uuid}`, reader)).status).toBe(403);
    expect((await rest.request('delete', `${all}/${uuid}`, writer)).status).toBe(204);
  });

  test('a page of templates runs the same number of statements however long it is', async () => {
    for (let index = 0; index < 8; index += 1) await create();
    const few = await rest.statements(() => rest.get(`${all}?per_page=2`));
    expect(await rest.statements(() => rest.get(`${all}?per_page=10`))).toBe(few);
  });

  test('each change of a template records one event and one audit row', async () => {
    const { db } = rest.world.services;
    const template = await create();
    await patch(template.uuid, { name: 'Renamed' });
    await rest.request('delete', `${all}/${template.uuid}`);
    const events = await db
      .selectFrom('events')
      .select(['subject', 'type', 'actorId'])
      .where('subjectId', '=', template.uuid)
      .orderBy('id')
      .execute();
    expect(events).toEqual(
      ['create', 'update', 'delete'].map((verb) => ({
        subject: 'pipeline-template',
        type: `pipeline-template.${verb}`,
        actorId: rest.world.admin.id,
      })),
    );
    const audit = await db
      .selectFrom('audit_events')
      .select(['subject', 'operation'])
      .where('subjectId', '=', template.uuid)
      .orderBy('id')
      .execute();
    expect(audit).toEqual(
      ['create', 'update', 'delete'].map((verb) => ({
        subject: 'pipeline-template',
        operation: `pipeline-template.${verb}`,
      })),
    );
  });
});

describe('pipeline templates on a plan without them', () => {
  let rest: RestWorld;
  beforeAll(async () => (rest = await RestWorld.create()));
  afterAll(() => rest.close());

  test('every template request is refused on a plan without templates [api-v2:fhijkp,cenbec,epppfl,bnkdjp,ikibeo,gmpjpi]', async () => {
    const { admin, clock, organization } = rest.world;
    const id = await rest.world.insert('pipeline_templates', {
      organizationId: organization.id,
      name: 'Kept',
      configuration: yaml,
      available: true,
      createdById: admin.id,
      updatedById: admin.id,
      updatedAt: clock.now(),
    });
    const replies = await Promise.all([
      rest.get(all),
      rest.get(`${all}/${id}`),
      rest.get(`${all}/${admin.id}`),
      rest.post(all, { name: 'x', configuration: yaml }),
      rest.request('patch', `${all}/${id}`).send({ name: 'x' }),
      rest.request('delete', `${all}/${id}`),
    ]);
    for (const { status, body } of replies)
      expect([status, body]).toEqual([
        403,
        { message: "Your plan doesn't include pipeline templates. Upgrade your plan to use them." },
      ]);
    const assigned = await rest.post('/organizations/acme/pipelines', {
      name: 'P',
      repository: 'https://github.com/acme/app',
      pipeline_template_uuid: id,
    });
    expect([assigned.status, assigned.body.errors]).toEqual([
      422,
      [{ field: 'pipeline_template_uuid', code: 'requires the enterprise plan' }],
    ]);
  });
});
