import express, { Router } from 'express';
import request from 'supertest';
import { lazyRouter } from '../../src/server/lazy-router.js';

describe('a router that is built on its first request', () => {
  const hello = () => Router().get('/', (_request, response) => void response.send('hello'));

  test('a lazy router is built once for all waiting requests, and stopped only if it was built', async () => {
    let built = 0;
    let stopped = 0;
    const lazy = lazyRouter(async () => {
      built += 1;
      return { router: hello(), stop: async () => void (stopped += 1) };
    });
    await lazy.stop();
    expect([built, stopped]).toEqual([0, 0]);
    const application = express().use('/graphql', lazy.router);
    lazy.warm();
    const replies = await Promise.all([request(application).get('/graphql'), request(application).get('/graphql')]);
    expect(replies.map(({ text }) => text)).toEqual(['hello', 'hello']);
    await lazy.stop();
    expect([built, stopped]).toEqual([1, 1]);
  });

  test('a failure to build the router is reported to the request, and the next request tries again', async () => {
    let tries = 0;
    const lazy = lazyRouter(async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return { router: hello(), stop: async () => undefined };
    });
    const application = express().use('/graphql', lazy.router);
    application.use(
      ((_error, _request, response, _next) => void response.status(500).end()) as express.ErrorRequestHandler,
    );
    expect((await request(application).get('/graphql')).status).toBe(500);
    expect((await request(application).get('/graphql')).status).toBe(200);
  });
});
