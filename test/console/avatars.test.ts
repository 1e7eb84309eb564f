import express from 'express';
import request from 'supertest';
import { avatarRouter } from '../../src/console/avatars.js';
import { webUrls } from '../../src/web-urls.js';

describe('avatars', () => {
  const app = express().use('/avatars', avatarRouter());

  test('the URL of a person is drawn here, alike however the address is written', async () => {
    const path = webUrls.avatar('', 'Ann@Example.com ');
    expect(path).toBe(webUrls.avatar('', 'ann@example.com'));
    const reply = await request(app).get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(reply.body.toString()).toMatch(/^<svg .*<\/svg>$/);
    expect((await request(app).get(webUrls.avatar('', 'bob@example.com'))).body.toString()).not.toBe(reply.body.toString());
  });

  test('anything else is not found', async () => {
    expect((await request(app).get('/avatars/ann.svg')).status).toBe(404);
  });
});
