import express from 'express';
import request from 'supertest';
import { pipelineSchemaRouter } from '../../src/web/pipeline-schema.js';

test('editors of any origin read the JSON schema of pipeline files without a credential', async () => {
  const reply = await request(express().use('/pipeline-schema.json', pipelineSchemaRouter())).get(
    '/pipeline-schema.json',
  );
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': expect.stringContaining('application/schema+json'),
    'access-control-allow-origin': '*',
  });
  expect(JSON.parse(reply.text)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', definitions: {} });
});
