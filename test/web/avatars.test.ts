import express from 'express';
import request from 'supertest';
import { avatarRouter } from '../../src/web/avatars.js';
import { webUrls } from '../../src/services/web-urls.js';

describe('avatars', () => {
  const app = express().use('/avatars', avatarRouter());

  test('the avatar of a person is an image we draw, the same for every spelling of the email address', async () => {
    const path = webUrls.avatar('', 'Ann@Example.com ');
    expect(path).toBe(webUrls.avatar('', 'ann@example.com'));
    const reply = await request(app).get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(reply.body.toString()).toMatch(/^<svg .*<\/svg>$/);
    expect((await request(app).get(webUrls.avatar('', 'bob@example.com'))).body.toString()).not.toBe(
      reply.body.toString(),
    );
  });

  test('any other avatar path is answered 404', async () => {
    expect((await request(app).get('/avatars/ann.svg')).status).toBe(404);
  });
});
