import request from 'supertest';
import { createHash } from 'node:crypto';
import { parse, validate } from 'graphql';
import { exampleOperations } from '../../../src/graphql/graphiql/examples.js';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { Door } from '../support.js';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('GET /graphql', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  test('GET /graphql serves GraphiQL to any browser, with a token field and the example operations', async () => {
    const { status, headers, text } = await request(door.app).get('/graphql').set('Accept', browser);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Slipway</title>');
    expect(text).toContain('Authorization');
    for (const operation of exampleOperations) expect(text).toContain(JSON.stringify(operation).slice(1, 60));
    const again = await request(door.app).get('/graphql').set('Accept', browser).set('If-None-Match', headers['etag']!);
    expect([again.status, again.text]).toEqual([304, '']);
  }, 30_000);

  test('the GraphiQL page loads nothing from another host, and its headers forbid it', async () => {
    const { headers, text } = await request(door.app)
      .get('/graphql')
      .set('Accept', browser)
      .set('Accept-Encoding', 'identity');
    const body = text.slice(0, text.indexOf('<script>')) + text.slice(text.lastIndexOf('</script>'));
    expect(body.match(/https?:\/\/|@import|url\(\s*["']?\/\//g) ?? []).toEqual([]);
    expect(text.match(/<script[^>]+src=/g) ?? []).toEqual([]);
    expect(text).not.toMatch(/unpkg|jsdelivr|cdnjs|googleapis|esm\.sh/);
    const policy = headers['content-security-policy']!;
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`connect-src 'self'`);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const script = text.slice(text.indexOf('<script>') + 8, text.lastIndexOf('</script>'));
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    // There is one script element: no text inside the script closes it early.
    expect(script).not.toContain('</script');
  }, 30_000);

  test.each([undefined, 'application/json', '*/*'])(
    'GET /graphql is answered 405 to a program that accepts %s',
    async (accept) => {
      const asked = request(door.app).get('/graphql');
      const { status, headers, body } = await (accept ? asked.set('Accept', accept) : asked.unset('Accept'));
      expect([status, headers['allow'], body.errors[0].extensions.code]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
    },
  );

  test('every GraphiQL example is valid in the schema, and the queries run unchanged', async () => {
    const schema = await buildSchema();
    for (const operation of exampleOperations) {
      expect(validate(schema, parse(operation))).toEqual([]);
      if (operation.includes('\nquery')) await door.data(operation);
    }
  });
});
