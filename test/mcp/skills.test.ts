import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import express from 'express';
import { mcpRouter } from '../../src/mcp/router.js';
import { tools } from '../../src/mcp/tools/all.js';
import type { Data } from '../support/both-surfaces.js';
import { World } from '../support/world.js';

let world: World;
let server: Server;
let client: Client;
let stop: () => Promise<void>;

beforeAll(async () => {
  world = await World.create();
  const mcp = mcpRouter(world.services, '1.2.3');
  ({ stop } = mcp);
  server = createServer(express().use('/mcp', mcp.router)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const headers = { Authorization: world.admin.authorization };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
}, 60_000);
afterAll(async () => {
  await client.close();
  await stop();
  server.close();
  await world.close();
});

async function call(name: string, args: Record<string, unknown> = {}): Promise<Data> {
  const result: Data = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

test('lists skills, those of some words too, and loads one', async () => {
  const { skills } = await call('list_skills');
  expect(skills.map(({ name }: Data) => name)).toEqual([
    'debug-failed-build',
    'find-flaky-tests',
    'read-logs-cheaply',
    'wait-for-build',
    'write-pipelines',
  ]);
  const found = await call('list_skills', { query: 'CONCURRENCY yaml' });
  expect(found.skills).toEqual([
    { name: 'write-pipelines', title: expect.any(String), description: expect.stringMatching(/\.$/) },
  ]);
  expect((await call('list_skills', { query: 'knitting' })).skills).toEqual([]);
  expect((await call('load_skill', { skill_name: 'wait-for-build' })).content).toContain('`wait_for_build`');
  await expect(call('load_skill', { skill_name: '../skills/wait-for-build' })).rejects.toThrow(
    'There is no such skill. Skills are: debug-failed-build, ',
  );
});

/** Beginnings of names of tools. */
const verb = /^(?:get|list|search|read|tail|retry|rebuild|create|update|wait|explain|find|unblock|cancel)_[a-z_]+$/;

test('a skill names no tool and no other skill that there is not, and costs a model little', async () => {
  const { skills } = await call('list_skills');
  const names = new Set([...tools.map(({ name }) => name), ...skills.map(({ name }: Data) => name)]);
  for (const { name } of skills as Data[]) {
    const { content } = await call('load_skill', { skill_name: name });
    const words = [...(content as string).matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
    const named = words.filter((word) => verb.test(word) || /^[a-z]+(-[a-z]+){2,}$/.test(word));
    expect(named.length).toBeGreaterThan(1);
    expect([name, named.filter((word) => !names.has(word))]).toEqual([name, []]);
    expect(content.length).toBeLessThan(4_000);
  }
});

test('the pipeline of the skill on pipelines is one', async () => {
  const { content } = await call('load_skill', { skill_name: 'write-pipelines' });
  const configuration = /```yaml\n([^]+?)```/.exec(content)?.[1] ?? '';
  const pipeline = await call('create_pipeline', {
    org_slug: 'acme',
    name: 'As the skill says',
    repository_url: 'https://git.test/a.git',
    configuration,
  });
  expect(pipeline.slug).toBe('as-the-skill-says');
});
