import { readConfig } from '../../src/server/config.js';

const from = { MAIL_FROM: 'Slipway <ci@example.com>' };

test('the mail server and its sender are read together', () => {
  const SMTP_URL = 'smtps://ci:p%40ss@mail.example.com:465';
  expect(readConfig({ SMTP_URL, ...from }).mail).toEqual({ url: SMTP_URL, from: from.MAIL_FROM });
  expect(readConfig({}).mail).toBeNull();
});

test.each<[Record<string, string>, RegExp]>([
  [
    { SMTP_URL: 'http://ci:a-secret@mail.example.com', ...from },
    /SMTP_URL: must be smtp:.*not http:\/\/ci:\*\*\*@mail/,
  ],
  [{ SMTP_URL: 'smtp:ci:a-secret@mail.example.com', ...from }, /SMTP_URL: must be smtp:.*\*\*\*@mail\.example\.com/],
  [{ SMTP_URL: 'smtp://ci:a-secret@mail.example.com/box', ...from }, /SMTP_URL: .*nothing behind the port/],
  [{ SMTP_URL: 'smtp://ci@mail.example.com', ...from }, /SMTP_URL: .*user and password go together/],
  [{ SMTP_URL: 'smtp://ci:a-secret@mail.example.com' }, /MAIL_FROM: required with SMTP_URL/],
  [{ ...from }, /SMTP_URL: required with MAIL_FROM/],
  [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }, /MAIL_FROM: must be a mail address/],
])('a start with %o is refused by name, and no password is shown', (variables, problem) => {
  let message = '';
  try {
    readConfig(variables);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(problem);
  expect(message).not.toContain('a-secret');
});
