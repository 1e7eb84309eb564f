import type { IncomingMessage } from 'node:http';

/**
 * Whether a request asks for a reply that is as of now, and not of a moment ago: `Cache-Control: no-cache` or
 * `max-age=0` (RFC 9111, 5.2.1). `fetch` sends the first with every `If-None-Match`, where it means nothing.
 */
export function wantsCurrent({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const directives = headers['cache-control'] ?? '';
  const isConditional = headers['if-none-match'] !== undefined;
  return (
    /(?:^|[\s,])max-age=0(?:$|[\s,])/i.test(directives) ||
    (!isConditional && /(?:^|[\s,])no-cache(?:$|[\s,])/i.test(directives))
  );
}
