import { pino, type Logger as PinoLogger } from 'pino';
import { LogOutput, type LogStream, setOutput } from './log-output.js';

/** Fields that may contain a credential, at any depth of a log line that we write. */
const secretFields = ['authorization', 'token', 'password', 'secret', 'secretKey', 'access_token', 'cookie'];
const redacted = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Structured logs: JSON lines on stdout, readable text where stdout is a terminal. Lines that cannot be written are
 * dropped and counted (`log-output.ts`).
 * @param level one of pino's, or `silent`
 * @param fields of every line
 */
export async function createLog(
  level: string,
  stream: LogStream & { isTTY?: boolean } = process.stdout,
  fields?: Record<string, unknown>,
): Promise<PinoLogger> {
  const options = {
    level,
    base: fields,
    // `"level":"error"` instead of pino's numbers: readable, and the form log collectors expect.
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
  };
  const output = new LogOutput(stream, (lost) => log.warn({ lost }, 'log lines could not be written'));
  const format = stream.isTTY ? await readableLines() : (line: string) => line;
  const log = pino(options, { write: (line) => output.write(format(line)) });
  setOutput(log, output);
  return log;
}

async function readableLines(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
  return (line) => String(format(line) ?? '');
}
