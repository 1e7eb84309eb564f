import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { openMail } from '../../src/providers/mail.js';

const message = { id: 'one', to: 'dev@example.com', subject: 'Build #1 passed', text: 'text', html: '<p>html</p>' };

/** A mail server on this machine, with what it has taken. */
async function mailServer(options: SMTPServerOptions = {}) {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, _session, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        taken.push(Buffer.concat(pieces).toString('utf8'));
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { taken, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

const refusal = (status: number, words: string) => Object.assign(new Error(words), { responseCode: status });

describe('mail by SMTP', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function sendTo(options: SMTPServerOptions, credentials = '') {
    const server = await mailServer(options);
    const mail = openMail({ url: `smtp://${credentials}127.0.0.1:${server.port}`, from: 'Slipway <ci@example.com>' });
    closing.push(() => mail.close(), server.close);
    return { result: await mail.send(message), taken: server.taken };
  }

  test('a message arrives with its sender, subject, both bodies and an id that is the same on every attempt', async () => {
    const { result, taken } = await sendTo({});
    expect(result).toMatchObject({ verdict: 'sent', status: 250 });
    const [text = ''] = taken;
    expect(text).toContain('From: Slipway <ci@example.com>');
    expect(text).toContain('To: dev@example.com');
    expect(text).toContain('Subject: Build #1 passed');
    expect(text).toContain('Message-ID: <one@slipway>');
    expect(text).toContain('<p>html</p>');
    expect(text).toContain('Auto-Submitted: auto-generated');
  });

  test('user and password of the URL sign in, percent-encoded', async () => {
    const seen: unknown[] = [];
    const { result } = await sendTo(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, done) => {
          seen.push([username, password]);
          done(null, { user: username });
        },
      },
      'ci%40example.com:p%40ss@',
    );
    expect(result.verdict).toBe('sent');
    expect(seen).toEqual([['ci@example.com', 'p@ss']]);
  });

  test('a wrong password is tried again, in case it is put right, and never shown', async () => {
    const { result } = await sendTo(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(refusal(535, 'who are you')),
      },
      'ci:a-secret@',
    );
    expect(result).toMatchObject({ verdict: 'retry', status: 535, words: expect.stringContaining('who are you') });
    expect(result.words).not.toContain('a-secret');
  });

  test.each([
    ['a mailbox that does not exist is final', 550, 'no such mailbox', 'refused'],
    ['a greylisted sender is tried again', 451, 'greylisted, come back later', 'retry'],
  ])('%s', async (_title, status, words, verdict) => {
    const { result } = await sendTo({ onRcptTo: (_address, _session, done) => done(refusal(status, words)) });
    expect(result).toMatchObject({ verdict, status, words: expect.stringContaining(words) });
  });

  test('a server that demands TLS and offers none refuses for good, and one with an unknown certificate is tried again', async () => {
    const { result } = await sendTo({
      onMailFrom: (_address, _session, done) => done(refusal(530, 'Must issue STARTTLS first')),
    });
    expect(result).toMatchObject({ verdict: 'refused', status: 530, words: expect.stringContaining('STARTTLS') });
    const { result: unknown, taken } = await sendTo({ disabledCommands: [] });
    expect(unknown).toMatchObject({ verdict: 'retry', words: expect.stringMatching(/certificate/) });
    expect(taken).toEqual([]);
  });

  test('a server that is not there, or that never speaks, is tried again', async () => {
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const slow = openMail({ url: `smtp://127.0.0.1:${port}`, from: 'ci@example.com' }, { greetingTimeout: 50 });
    closing.push(
      () => slow.close(),
      () => mute.close(),
    );
    expect(await slow.send(message)).toMatchObject({ verdict: 'retry', status: null });
    mute.close();
    const gone = openMail({ url: 'smtp://127.0.0.1:1', from: 'ci@example.com' });
    closing.push(() => gone.close());
    expect(await gone.send(message)).toMatchObject({
      verdict: 'retry',
      words: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
