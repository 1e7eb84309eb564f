import express from 'express';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import request from 'supertest';
import { rotateOidcKeys } from '../../../src/resources/installation/oidc-keys/oidc-keys.js';
import { wellKnownRouter } from '../../../src/web/well-known.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('an identity token', () => {
  let world: World;
  let agent: ScriptedAgent;
  let job: string;
  let build: { id: string; number: number; pipelineId: string };
  const issuer = express();
  beforeAll(async () => {
    world = await World.create();
    issuer.use('/.well-known', wellKnownRouter(world.services));
    ({ build } = await buildOf(world, 'steps: [{ command: a, key: deploy }]', {
      branch: 'feature/x',
      commit: 'a'.repeat(40),
    }));
    agent = await ScriptedAgent.connected(agentApp(world), world.agentToken, {
      meta_data: ['queue=default', 'os=linux'],
    });
    job = await agent.takeJob();
  });
  afterAll(() => world.close());

  const ask = (body: object = {}, token = agent.jobToken) =>
    agent.call('post', `/jobs/${job}/oidc/tokens`, token).send(body);
  const tokenOf = async (body: object = {}) => (await ask(body).expect(200)).body.token as string;
  const keys = async () => (await request(issuer).get('/.well-known/jwks').expect(200)).body as JSONWebKeySet;

  test('is verified with the keys that the issuer’s document leads to, and says what the job is', async () => {
    const { body: document, headers } = await request(issuer).get('/.well-known/openid-configuration').expect(200);
    expect(document).toMatchObject({
      issuer: world.services.baseUrl,
      jwks_uri: `${world.services.baseUrl}/.well-known/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    });
    expect(headers['cache-control']).toBe('public, max-age=300');
    const now = Math.floor(world.clock.now().getTime() / 1000);
    const token = await tokenOf({ audience: 'sts.amazonaws.com' });
    const { payload } = await jwtVerify(token, createLocalJWKSet(await keys()), {
      issuer: document.issuer,
      audience: 'sts.amazonaws.com',
      algorithms: ['RS256'],
      currentDate: world.clock.now(),
    });
    const { slug } = await world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', build.pipelineId)
      .executeTakeFirstOrThrow();
    expect(payload).toEqual({
      iss: world.services.baseUrl,
      aud: 'sts.amazonaws.com',
      sub: `organization:acme:pipeline:${slug}:ref:refs/heads/feature/x:commit:${'a'.repeat(40)}:step:deploy`,
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: expect.any(String),
      organization_slug: 'acme',
      pipeline_slug: slug,
      build_number: build.number,
      build_branch: 'feature/x',
      build_tag: null,
      build_commit: 'a'.repeat(40),
      build_source: 'api',
      step_key: 'deploy',
      job_id: job,
      agent_id: agent.id,
      runner_environment: 'self-hosted',
    });
  });

  test('has the audience of its organization, the lifetime, claims, session tags and subject that were asked for', async () => {
    expect(decodeJwt(await tokenOf()).aud).toBe(`${world.services.baseUrl}/acme`);
    const token = decodeJwt(
      await tokenOf({
        lifetime: 600,
        claims: ['organization_id', 'queue_key', 'agent_tag:os', 'agent_tag:none'],
        aws_session_tags: ['pipeline_id', 'build_branch', 'build_tag'],
        subject_claim: 'pipeline_id',
      }),
    );
    expect(token.exp! - token.iat!).toBe(600);
    expect(token).toMatchObject({
      sub: build.pipelineId,
      organization_id: world.organization.id,
      queue_key: 'default',
      'agent_tag:os': 'linux',
      'agent_tag:none': null,
      'https://aws.amazon.com/tags': {
        principal_tags: { pipeline_id: [build.pipelineId], build_branch: ['feature/x'] },
      },
    });
  });

  test.each([
    [{ claims: ['secret'] }, /^The claim "secret" is not supported; it can be organization_slug,/],
    [{ subject_claim: 'build_branch' }, /^The claim "build_branch" cannot be the subject; it can be organization_id,/],
    [{ lifetime: -1 }, /lifetime/],
    [{ lifetime: 7201 }, /lifetime/],
    [{ claims: 'organization_id' }, /claims/],
  ])('that cannot be issued is refused with the reason: %j', async (body, message) => {
    const response = await ask(body);
    expect([response.status, response.body.message]).toEqual([422, expect.stringMatching(message)]);
  });

  test('is issued to the running job only', async () => {
    await buildOf(world, 'steps: [{ command: b }]');
    const other = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    await other.takeJob();
    expect((await ask({}, other.jobToken)).status).toBe(404);
    expect((await ask({}, world.agentToken)).status).toBe(403);
    expect((await ask({}, world.admin.token)).status).toBe(401);
  });

  test('stays valid while keys are replaced, and no answer or row shows a private key', async () => {
    const first = await tokenOf();
    const [firstKey] = (await keys()).keys;
    world.clock.advance(90 * 86_400);
    await rotateOidcKeys(world.services, { agesCount: false });
    expect((await keys()).keys.length).toBe(1);
    await rotateOidcKeys(world.services, { agesCount: true });
    await rotateOidcKeys(world.services, { agesCount: true });
    const both = await keys();
    expect(both.keys.map(({ kid }) => kid)).toEqual([firstKey?.kid, expect.any(String)]);
    expect(decodeProtectedHeader(await tokenOf()).kid).toBe(firstKey?.kid);
    world.clock.advance(86_400);
    expect(decodeProtectedHeader(await tokenOf()).kid).toBe(both.keys[1]?.kid);
    await jwtVerify(first, createLocalJWKSet(await keys()), { currentDate: new Date(decodeJwt(first).iat! * 1000) });
    world.clock.advance(86_400);
    await rotateOidcKeys(world.services, { agesCount: true });
    expect((await keys()).keys.map(({ kid }) => kid)).toEqual([both.keys[1]?.kid]);
    for (const key of both.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const rows = await world.services.db.selectFrom('oidc_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('PRIVATE');
  });

  test('is an event of its job', async () => {
    const events = await world.services.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'job.oidc_token')
      .execute();
    expect(events[0]).toMatchObject({ jobId: job, data: { audience: 'sts.amazonaws.com' } });
    expect(JSON.stringify(events)).not.toContain('eyJ');
  });

  test('is refused once the job has ended', async () => {
    await agent.finish(job).expect(200);
    await ask().expect(403, { message: 'Only a running job may request an identity token' });
  });
});

test('programs that know only the host find the API, its description and its reference at /.well-known/api-catalog', async () => {
  const world = await World.create();
  const app = express().use('/.well-known', wellKnownRouter(world.services));
  const { headers, text } = await request(app).get('/.well-known/api-catalog').expect(200);
  expect(headers['content-type']).toMatch(
    /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/,
  );
  const { baseUrl } = world.services;
  expect(JSON.parse(text)).toEqual({
    linkset: [
      {
        anchor: `${baseUrl}/v2`,
        'service-desc': [{ href: `${baseUrl}/v2/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
      },
    ],
  });
  await world.close();
});
