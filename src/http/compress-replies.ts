import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** Replies below this size are sent as they are: a packet holds them either way. */
const smallestBytes = 1024;
/** Of 9: higher levels take several times as long for replies of JSON that are hardly smaller. */
const gzipLevel = 4;
/** The library compresses what mime-db says is compressible, which does not know this type of JSON. */
const graphqlReply = /^application\/graphql-response\+json\b/;

/**
 * Compresses replies as `Accept-Encoding` asks (brotli, gzip, deflate), in the threads of zlib, and adds
 * `Accept-Encoding` to `Vary`. Entity tags stay: they are weak, so one names the reply in every encoding. Streams are
 * left alone, see {@link sendUncompressed}.
 */
export function compressReplies(): RequestHandler {
  return compression({
    threshold: smallestBytes,
    level: gzipLevel,
    filter: (request, response) =>
      (response as Response).locals?.['uncompressed'] !== true &&
      (graphqlReply.test(String(response.getHeader('Content-Type'))) || compression.filter(request, response)),
  });
}

/** Has a reply sent as it is: a stream, whose pieces must not wait for a block of the encoder to be full. */
export function sendUncompressed(response: Response): void {
  response.locals['uncompressed'] = true;
}
