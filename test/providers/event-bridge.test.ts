import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openEventBus } from '../../src/providers/event-bridge.js';

const event = {
  region: 'us-east-1',
  bus: 'arn:aws:events:us-east-1:123456789012:event-bus/ci',
  source: 'slipway',
  detailType: 'Build Finished',
  detail: '{"version":1}',
};
const variables = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a-secret',
  AWS_EC2_METADATA_DISABLED: 'true',
};

describe('events on Amazon EventBridge', () => {
  let server: Server;
  let answer: { status: number; body: object } = { status: 200, body: {} };
  const requests: { headers: Record<string, unknown>; body: unknown }[] = [];
  const bus = openEventBus();
  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        requests.push({ headers: request.headers, body: JSON.parse(text) });
        response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', `http://127.0.0.1:${port}`);
  });
  beforeEach(() => (requests.length = 0));
  afterAll(async () => {
    bus.close();
    vi.unstubAllEnvs();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('an event is put on the named bus, signed with the credentials of the environment', async () => {
    answer = { status: 200, body: { FailedEntryCount: 0, Entries: [{ EventId: 'e-1' }] } };
    expect(await bus.put(event)).toEqual({ verdict: 'sent', status: 200, words: 'e-1' });
    const { bus: name, source, detailType, detail } = event;
    expect(requests[0]?.body).toEqual({
      Entries: [{ EventBusName: name, Source: source, DetailType: detailType, Detail: detail }],
    });
    expect(requests[0]?.headers).toMatchObject({
      'x-amz-target': 'AWSEvents.PutEvents',
      authorization: expect.stringContaining('Credential=AKIAEXAMPLE/'),
    });
  });

  test.each([
    ['InternalFailure', 'retry'],
    ['ThrottlingException', 'retry'],
    ['NotAuthorizedForSourceException', 'refused'],
    ['MalformedDetail', 'refused'],
  ])('an entry that fails inside a reply of 200 with %s: %s', async (ErrorCode, verdict) => {
    answer = { status: 200, body: { FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: 'because' }] } };
    expect(await bus.put(event)).toEqual({
      verdict,
      status: 200,
      words: `Amazon EventBridge refused the event: ${ErrorCode}: because`,
    });
  });

  test.each([
    [400, 'AccessDeniedException', 'refused'],
    [400, 'ThrottlingException', 'retry'],
    [500, 'InternalException', 'retry'],
  ])('a request that is answered %i with %s: %s', async (status, name, verdict) => {
    answer = { status, body: { __type: name, message: 'words' } };
    expect(await bus.put(event)).toMatchObject({ verdict, status, words: expect.stringContaining(name) });
    expect(requests).toHaveLength(1);
  });
});
