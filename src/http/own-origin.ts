import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Services } from '../services/services.js';

type Facts = Pick<Services, 'baseUrl' | 'trustsProxy'>;

/** A header that the nearest proxy may set: its first value, null unless that proxy is trusted. */
function forwarded({ trustsProxy }: Pick<Facts, 'trustsProxy'>, request: IncomingMessage, name: string): string | null {
  if (!trustsProxy?.(request.socket.remoteAddress ?? '', 0)) return null;
  const value = request.headers[name];
  const first = (Array.isArray(value) ? value[0] : value)?.split(',', 1)[0]?.trim();
  return first === undefined || first === '' ? null : first;
}

function protocolOf(facts: Facts, request: IncomingMessage): string {
  return (
    forwarded(facts, request, 'x-forwarded-proto')?.toLowerCase() ??
    ((request.socket as Partial<TLSSocket>).encrypted ? 'https' : 'http')
  );
}

/** Whether the browser speaks https with us: by BASE_URL, by a proxy that is trusted, or by the connection itself. */
export function isSecure(facts: Facts, request: IncomingMessage): boolean {
  return facts.baseUrl.startsWith('https:') || protocolOf(facts, request) === 'https';
}

/** The host that the browser has sent the request to, with its port where it names one. */
const hostOf = (facts: Pick<Facts, 'trustsProxy'>, request: IncomingMessage): string | undefined =>
  forwarded(facts, request, 'x-forwarded-host') ?? request.headers.host;

/** Whether the browser has sent the request to the host and port of a URL. */
function isSentTo(url: string, facts: Pick<Facts, 'trustsProxy'>, request: IncomingMessage): boolean {
  const { protocol, host } = new URL(url);
  const sent = `${protocol}//${hostOf(facts, request) ?? ''}`;
  return URL.canParse(sent) && new URL(sent).host === host;
}

/** Whether the browser has sent the request to the host of reports; false where they have none of their own. */
export const isSentToReports = (
  services: Pick<Services, 'reportsUrl' | 'trustsProxy'>,
  request: IncomingMessage,
): boolean => services.reportsUrl !== undefined && isSentTo(services.reportsUrl, services, request);

/** Origins of the console: the origin of BASE_URL and the origin that the request was sent to. */
export function ownOrigins(facts: Facts, request: IncomingMessage): string[] {
  const host = hostOf(facts, request);
  const origins = [facts.baseUrl, ...(host === undefined ? [] : [`${protocolOf(facts, request)}://${host}`])];
  return origins.flatMap((text) => (URL.canParse(text) ? [new URL(text).origin] : []));
}

/**
 * Whether a page of ours sent the request, by the headers that browsers set and scripts cannot: `Origin` must be one of
 * ours where there is one, `Sec-Fetch-Site` must be `same-origin` where there is one, and one of them must be there.
 */
export function isFromOwnPage(facts: Facts, request: IncomingMessage): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined) return ownOrigins(facts, request).includes(origin);
  return site !== undefined;
}
