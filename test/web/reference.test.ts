import express from 'express';
import request from 'supertest';
import { referenceRouter } from '../../src/web/reference.js';

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
    expect(text).toContain("url: '/v2/openapi.json'");
    expect(text).toContain('validatorUrl: null');
    expect(headers['content-type']).toContain('javascript');
    expect(headers['x-content-type-options']).toBe('nosniff');
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
