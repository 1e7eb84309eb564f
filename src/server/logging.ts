import { pino, type Logger as PinoLogger } from 'pino';

/** Fields that may contain a credential, at any depth of a log line that we write. */
const secretFields = ['authorization', 'token', 'password', 'secret', 'secretKey', 'access_token', 'cookie'];
const redacted = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Structured logs: JSON lines on stdout, readable text where stdout is a terminal.
 * @param level one of pino's, or `silent`
 * @param fields of every line
 */
export async function createLog(
  level: string,
  stream: NodeJS.WriteStream = process.stdout,
  fields?: Record<string, unknown>,
): Promise<PinoLogger> {
  const options = {
    level,
    base: fields,
    // `"level":"error"` instead of pino's numbers: readable, and the form log collectors expect.
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
  };
  if (!stream.isTTY) return pino(options, stream);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: stream, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}
