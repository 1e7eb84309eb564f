import type { Transporter } from 'nodemailer';
import type { Mail, MailMessage, SendingResult } from '../services/services.js';

const connections = 3;
const standardTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
  dnsTimeout: 10_000,
};
/** Longer than a server takes that answers each of its lines just in time. */
const wholeMs = 45_000;

export interface MailSettings {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  url: string;
  from: string;
}

/**
 * Opens the way to the SMTP server of the installation: TLS from the first byte (`smtps`), or as soon as the server
 * offers it (`smtp`), always with a verified certificate. The library is loaded with the first message.
 */
export function openMail(
  { url, from }: MailSettings,
  timeouts: Partial<typeof standardTimeouts> = {},
): Mail & { close(): void } {
  let opened: Promise<Transporter> | null = null;
  return {
    send: async (message) => {
      const transport = await (opened ??= openTransport(url, timeouts));
      return send(transport, from, message);
    },
    close: () => void opened?.then((transport) => transport.close()).catch(() => undefined),
  };
}

const usualPort = (secure: boolean): number => (secure ? 465 : 587);

async function openTransport(text: string, timeouts: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPort(secure) : Number(port),
    secure,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: connections,
    ...standardTimeouts,
    ...timeouts,
  });
}

async function send(transport: Transporter, from: string, message: MailMessage): Promise<SendingResult> {
  const { id, to, subject, text, html } = message;
  const timer = AbortSignal.timeout(wholeMs);
  try {
    const sent = await Promise.race([
      transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same on every attempt, so that mailboxes show a message once that was taken twice.
        messageId: `<${id}@slipway>`,
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
      new Promise<never>((_, reject) => {
        timer.addEventListener('abort', () => reject(new Error('the mail server did not answer in time')));
      }),
    ]);
    return { verdict: 'sent', status: 250, words: String((sent as { response?: string }).response ?? 'sent') };
  } catch (error) {
    return refusal(error);
  }
}

interface SmtpFault {
  message?: string;
  code?: string;
  /** Status of the reply of the server. */
  responseCode?: number;
}

/**
 * A refusal of the message (5xx) is final. Of the sign-in it is not: the operator may set the right password meanwhile.
 */
function refusal(error: unknown): SendingResult {
  const { message = String(error), code, responseCode } = error as SmtpFault;
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return {
    verdict: isFinal ? 'refused' : 'retry',
    status: responseCode ?? null,
    words: `The mail server: ${message}`.replaceAll(/\s+/g, ' ').slice(0, 500),
  };
}
