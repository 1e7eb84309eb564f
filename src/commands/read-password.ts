import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { limits } from '../domain/limits/limits.js';
import { WrongUsage } from './wrong-usage.js';

/**
 * Reads a password: on a terminal it is asked for twice and not shown, otherwise it is the first line of standard
 * input. Throws {@link WrongUsage} for none, for two that differ, and for one that is too long.
 */
export async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice() : await firstLine(process.stdin);
  if (password === '') throw new WrongUsage('a password is needed, on a terminal or on standard input');
  if (password.length > limits.passwordLength)
    throw new WrongUsage(`the password is longer than ${limits.passwordLength} characters`);
  return password;
}

async function askTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const stopped = once(lines, 'SIGINT').then(() => {
    throw new WrongUsage('no password was entered');
  });
  const ask = async (question: string) => {
    process.stderr.write(question);
    const answer = await Promise.race([lines.question(''), stopped]);
    process.stderr.write('\n');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('The same again: ')) !== password) throw new WrongUsage('the two passwords differ');
    return password;
  } finally {
    lines.close();
  }
}

/** Reads no further than the longest password and its line end. */
async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of input) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.includes(0x0a) || bytes.length > 4 * limits.passwordLength + 2) break;
  }
  return (bytes.toString('utf8').split('\n', 1)[0] ?? '').replace(/\r$/, '');
}
