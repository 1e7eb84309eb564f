import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { hashToken } from '../../../../src/auth/secrets.js';
import { seal } from '../../../../src/auth/sealed.js';
import { keyId, type SecretKeys } from '../../../../src/auth/secret-keys.js';
import { createNotificationService } from '../../../../src/operations/integrations/notification-services/create.js';
import { createPipeline } from '../../../../src/operations/pipelines/create.js';
import { sealUrlTokens } from '../../../../src/resources/pipelines/seal-url-tokens.js';
import { badgeTokenOf, webhookTokenOf } from '../../../../src/resources/pipelines/url-token.js';
import { createProviderConnection } from '../../../../src/operations/integrations/provider-connections/create.js';
import { createSecret } from '../../../../src/operations/agents/secrets/create.js';
import { checkSecretKeys } from '../../../../src/resources/installation/secret-keys/check.js';
import { noteKeyUse, rotateSecretKey } from '../../../../src/resources/installation/secret-keys/rotate.js';
import { sealedColumns } from '../../../../src/resources/installation/secret-keys/sealed-columns.js';
import { createSuite } from '../../../../src/operations/suites/create.js';
import { readBadge } from '../../../../src/operations/pipelines/badges/read.js';
import { perform } from '../../../../src/core/operation.js';
import type { PipelineRow } from '../../../../src/entities/database.js';
import { refusal } from '../../../support/refusal.js';
import { World } from '../../../support/world.js';

const [first, second, third] = ['first', 'second', 'third'].map((name) => `${name}-key-`.repeat(4)) as [
  string,
  string,
  string,
];
const acme = { organization: { slug: 'acme' } };

describe('the secret key of an installation', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
    world.services.secretKey = { current: first, previous: null };
  });
  afterEach(() => world.close());

  const withKeys = (current: string, previous: string | null = null) => ({
    ...world.services,
    secretKey: { current, previous } satisfies SecretKeys,
  });
  const stored = async () =>
    (await world.services.db.selectFrom('secret_keys').select('id').execute()).map(({ id }) => id);
  const everySealed = async () => {
    const found: string[] = [];
    for (const { table, column, field } of sealedColumns) {
      const { rows } = await sql<{
        value: string;
      }>`select ${field === undefined ? sql.ref(column) : sql`${sql.ref(column)} ->> ${sql.lit(field)}`} as value from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
        world.services.db,
      );
      found.push(...rows.map(({ value }) => value));
    }
    return found;
  };
  /** Something of every kind that is sealed. */
  const fill = async () => {
    const idempotency = { key: 'k', fingerprint: 'f' };
    const named = {
      ...acme,
      name: 'App',
      repository: 'https://git.example.com/app.git',
      clusterId: world.clusterId,
      configuration: 'steps:\n  - command: "true"\n',
    };
    const { pipeline } = await perform(createPipeline, await world.as(world.admin, { idempotency }), named);
    await world.perform(world.admin, createSuite, { ...acme, name: 'S', defaultBranch: 'main' });
    await world.perform(world.admin, createNotificationService, {
      ...acme,
      description: 'hook',
      settings: { url: 'http://127.0.0.1:9/', token: 'token of the receiver' },
    });
    await world.perform(world.admin, createProviderConnection, { ...acme, provider: 'github', token: 'ghp_x' });
    await world.perform(world.admin, createSecret, {
      cluster: { organization: 'acme', id: world.clusterId },
      key: 'KEY',
      value: 'v',
    });
    return pipeline;
  };

  test('the secret key is recorded at the first start; another key, or none after a rotation, is refused with instructions', async () => {
    await checkSecretKeys(world.services);
    await checkSecretKeys(world.services);
    expect(await stored()).toEqual([keyId(first)]);
    await expect(checkSecretKeys(withKeys(second))).rejects.toThrow(
      /SECRET_KEY is not the key.*SECRET_KEY_PREVIOUS.*secret-key rotate/s,
    );
    await expect(checkSecretKeys(withKeys(second, third))).rejects.toThrow(
      'neither SECRET_KEY nor SECRET_KEY_PREVIOUS',
    );
    expect(await stored()).toEqual([keyId(first)]);
    await checkSecretKeys(withKeys(second, first));
    expect((await stored()).sort()).toEqual([keyId(first), keyId(second)].sort());
    await expect(checkSecretKeys(withKeys(second))).rejects.toThrow('SECRET_KEY');
    await expect(checkSecretKeys(withKeys(first))).rejects.toThrow('SECRET_KEY');
  });

  test('of ten servers started at once with two different keys, those with one of the keys are refused', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_none, index) => checkSecretKeys(withKeys(index % 2 === 0 ? first : second))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await stored()).toHaveLength(1);
  });

  test('the key of a database from before keys were recorded is verified by opening a value', async () => {
    await fill();
    await expect(checkSecretKeys(withKeys(second))).rejects.toThrow('SECRET_KEY');
    expect(await stored()).toEqual([]);
    await checkSecretKeys(withKeys(second, first));
    expect((await stored()).sort()).toEqual([keyId(first), keyId(second)].sort());
  });

  test('after a rotation every sealed value opens with the new key alone, and the old key is not enough', async () => {
    await checkSecretKeys(world.services);
    const pipeline = await fill();
    const token = webhookTokenOf(world.services, pipeline);
    const exchanging = withKeys(second, first);
    await checkSecretKeys(exchanging);
    const before = await everySealed();
    expect(new Set(before.map((value) => value.split('.')[1]))).toEqual(new Set([keyId(first)]));
    const done = await rotateSecretKey(exchanging, { alone: true });
    expect(done).toEqual({ resealed: before.length, unreadable: 0, retired: true });
    const after = await everySealed();
    expect([after.length, new Set(after.map((value) => value.split('.')[1]))]).toEqual([
      before.length,
      new Set([keyId(second)]),
    ]);
    const row = await world.services.db
      .selectFrom('pipelines')
      .selectAll()
      .where('id', '=', pipeline.id)
      .executeTakeFirstOrThrow();
    expect(webhookTokenOf(withKeys(second), row)).toBe(token);
    await checkSecretKeys(withKeys(second));
    await expect(checkSecretKeys(withKeys(first))).rejects.toThrow('SECRET_KEY');
    expect(await rotateSecretKey(exchanging, { alone: true })).toEqual({ resealed: 0, unreadable: 0, retired: true });
  });

  test('a rotation runs in batches beside new values sealed with the old key, and resumes after an interruption', async () => {
    await checkSecretKeys(world.services);
    await fill();
    const { id: template, ...pipeline } = await world.pipeline('steps:\n  - command: "true"\n');
    const copies = Array.from({ length: 120 }, (_none, index) => ({
      ...pipeline,
      id: world.system().newId(),
      slug: `copy-${index}`,
      name: `copy-${index}`,
      webhookTokenHash: `w${index}`,
      badgeTokenHash: `b${index}`,
      webhookTokenSealed: seal(world.services.secretKey, 'pipeline-webhook-token', `${template}${index}`),
      badgeTokenSealed: null,
      providerSettings: '{}',
      tags: sql`'{}'`,
      visualSteps: null,
      env: null,
    }));
    await world.services.db
      .insertInto('pipelines')
      .values(copies as never)
      .execute();
    const exchanging = withKeys(second, first);
    await checkSecretKeys(exchanging);
    const [one, other] = await Promise.all([
      rotateSecretKey(exchanging, { alone: true }),
      rotateSecretKey(exchanging, { alone: true }),
    ]);
    expect(one.resealed + other.resealed).toBe((await everySealed()).length);
    await world.services.db
      .updateTable('suites')
      .set({ tokenSealed: seal({ current: first, previous: null }, 'suite-token', 'late') })
      .execute();
    expect(await rotateSecretKey(exchanging, { alone: true })).toEqual({ resealed: 1, unreadable: 0, retired: true });
    await world.services.db
      .updateTable('suites')
      .set({ tokenSealed: seal({ current: third, previous: null }, 'suite-token', 'lost') })
      .execute();
    expect(await rotateSecretKey(exchanging, { alone: true })).toEqual({ resealed: 0, unreadable: 1, retired: true });
  });

  test('a key cannot be retired while a server seals with it', async () => {
    await checkSecretKeys(world.services);
    await noteKeyUse(world.services);
    const exchanging = withKeys(second, first);
    await checkSecretKeys(exchanging);
    expect(await refusal(rotateSecretKey(exchanging, { alone: false }))).toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining('every server'),
    });
    await sql`update secret_keys set used_at = now() - interval '2 minutes'`.execute(world.services.db);
    expect(await rotateSecretKey(exchanging, { alone: false })).toMatchObject({ retired: true });
  });

  test('every use of sealing names a purpose whose column is known to be sealed', () => {
    const purposes = new Set<string>();
    const files = readdirSync(join(process.cwd(), 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('auth'),
    );
    for (const file of files) {
      const text = readFileSync(join(process.cwd(), 'src', file), 'utf8');
      if (!/\bseal\(/.test(text) || file.includes('secret-keys')) continue;
      const constants = new Map(
        [...text.matchAll(/const (\w+) = '([^']+)';/g)].map(([, name, value]) => [name, value]),
      );
      for (const [, argument = ''] of text.matchAll(/\bseal\([^,]+, ([^,]+),/g)) {
        const literal = argument.startsWith("'") ? argument.slice(1, -1) : constants.get(argument);
        // A purpose that another file names: its constant's text is looked up there.
        const imported = files
          .map(
            (other) =>
              new RegExp(`export const ${argument} = '([^']+)'`).exec(
                readFileSync(join(process.cwd(), 'src', other), 'utf8'),
              )?.[1],
          )
          .find(Boolean);
        purposes.add(literal ?? imported ?? `${file}: ${argument}`);
      }
    }
    // Cookies of people who are signing in are no column; they live for minutes.
    purposes.delete('single-sign-on');
    expect([...purposes].sort()).toEqual([...new Set(sealedColumns.map(({ purpose }) => purpose))].sort());
  });
});

describe('tokens in webhook and badge URLs', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('no column holds a token in plain text', async () => {
    const { pipeline } = await world.perform(world.admin, createPipeline, {
      ...acme,
      name: 'Clear',
      repository: 'https://git.example.com/clear.git',
      clusterId: world.clusterId,
      configuration: 'steps:\n  - command: "true"\n',
    });
    const secrets = [
      webhookTokenOf(world.services, pipeline),
      badgeTokenOf(world.services, pipeline),
      world.admin.token,
      world.agentToken,
    ];
    const { rows } = await sql<{
      name: string;
    }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
      world.services.db,
    );
    for (const { name } of rows) {
      const dump = await sql<{
        all: string | null;
      }>`select jsonb_agg(to_jsonb(t))::text as all from ${sql.table(name)} t`.execute(world.services.db);
      for (const secret of secrets) expect([name, dump.rows[0]?.all?.includes(secret) ?? false]).toEqual([name, false]);
    }
  });

  test('tokens stored in plain text by an earlier release are sealed at the next start, kept for its replicas for a day, and keep working', async () => {
    const pipeline = await world.pipeline('steps:\n  - command: "true"\n');
    const [webhook, badge] = ['a'.repeat(50), 'b'.repeat(50)];
    const former = {
      webhookToken: webhook,
      badgeToken: badge,
      webhookTokenHash: hashToken(webhook),
      badgeTokenHash: hashToken(badge),
      webhookTokenSealed: null,
      badgeTokenSealed: null,
    };
    await world.services.db.updateTable('pipelines').set(former).where('id', '=', pipeline.id).execute();
    const read = () =>
      world.services.db.selectFrom('pipelines').selectAll().where('id', '=', pipeline.id).executeTakeFirstOrThrow();
    const tokensOf = (row: PipelineRow) => [webhookTokenOf(world.services, row), badgeTokenOf(world.services, row)];
    const upgraded = (hoursAgo: number) =>
      sql`update slipway_migrations set executed_at = now() - make_interval(hours => ${hoursAgo}) where name = '20261121130000-keys-and-listening'`.execute(
        world.services.db,
      );
    expect(tokensOf(await read())).toEqual([webhook, badge]);
    await upgraded(23);
    expect([await sealUrlTokens(world.services), await sealUrlTokens(world.services)]).toEqual([1, 0]);
    expect(await read()).toMatchObject({ webhookToken: webhook, webhookTokenSealed: expect.any(String) });
    await upgraded(25);
    expect([await sealUrlTokens(world.services), await sealUrlTokens(world.services)]).toEqual([1, 0]);
    const row = await read();
    expect(row).toMatchObject({ webhookToken: null, badgeToken: null });
    expect(tokensOf(row)).toEqual([webhook, badge]);
    expect(await perform(readBadge, world.system(), { token: badge })).toEqual({
      status: expect.any(String),
      page: expect.stringContaining('/acme/'),
    });
  });
});
