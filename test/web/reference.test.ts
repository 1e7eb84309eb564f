import { runInNewContext } from 'node:vm';
import express from 'express';
import request from 'supertest';
import { referenceRouter } from '../../src/web/reference.js';

/** The maps of the viewer, as far as the search uses them. */
class Row {
  constructor(private readonly values: Record<string, unknown>) {}
  get = (name: string) => this.values[name];
  set = (name: string, value: unknown) => new Row({ ...this.values, [name]: value });
}
type Sized = Row[] & { size: number };
function sized(rows: Row[]): Sized {
  const filter = (keep: (row: Row) => boolean) => sized([...rows].filter(keep));
  return Object.assign([...rows], { size: rows.length, filter }) as unknown as Sized;
}
interface Viewer {
  spec: object;
  plugins: [{ fn: { opsFilter: (tags: Row[], phrase: string) => Row[] } }];
}

const app = express().use('/docs', referenceRouter());

describe('the REST reference', () => {
  test('the REST reference loads and runs only what its own host serves', async () => {
    const { status, headers, text } = await request(app).get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(loaded.length).toBeGreaterThan(4);
    for (const url of loaded) {
      expect(url).toMatch(/^\/(docs|v2)\//);
      if (url.startsWith('/docs/')) expect([url, (await request(app).get(url)).status]).toEqual([url, 200]);
    }
    expect(text).not.toMatch(/<script>|<style|style=| on\w+=/);
  });

  test('the REST reference reads /v2/openapi.json and uses no external validator', async () => {
    const { text, headers } = await request(app).get('/docs/start.js');
    expect(text).toContain("fetch('/v2/openapi.json')");
    expect(text).toContain('validatorUrl: null');
    expect(headers['content-type']).toContain('javascript');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('the REST reference sends requests to the host that shows it, and searches operations', async () => {
    const { text } = await request(app).get('/docs/start.js');
    const shown = await new Promise<Viewer>((resolve) => {
      runInNewContext(text, {
        fetch: async () => ({ json: async () => ({ info: {}, servers: [{ url: 'http://elsewhere.example' }] }) }),
        location: { origin: 'http://any.example:3000' },
        SwaggerUIBundle: resolve,
      });
    });
    expect(shown.spec).toEqual({ info: {}, servers: [{ url: 'http://any.example:3000' }] });
    const operation = (path: string, operationId: string) =>
      new Row({ path, method: 'get', operation: new Row({ operationId, description: 'Requires `read_builds`.' }) });
    const operations = [operation('/v2/builds', 'build.list'), operation('/v2/user', 'user.get')];
    const search = shown.plugins[0].fn.opsFilter;
    const found = (phrase: string) =>
      search([new Row({ operations: sized(operations) })], phrase).flatMap((tag) =>
        (tag.get('operations') as Row[]).map((each) => each.get('path')),
      );
    expect(found('BUILD list')).toEqual(['/v2/builds']);
    expect(found('read_builds')).toEqual(['/v2/builds', '/v2/user']);
    expect(found('nothing of this')).toEqual([]);
  });

  test('the REST reference serves no other file of its viewer', async () => {
    for (const path of [
      'package.json',
      'swagger-initializer.js',
      '../package.json',
      '%2e%2e/package.json',
      'index.html',
    ])
      expect((await request(app).get(`/docs/${path}`)).status).toBe(404);
  });
});
