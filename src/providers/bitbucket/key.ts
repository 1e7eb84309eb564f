import { createHash } from 'node:crypto';

const keyLength = 40;
const startLength = 27;
const hashLength = 12;

/**
 * Key of a build status at Bitbucket Cloud, which takes 40 characters at most: the context itself, or its beginning
 * with a hash of the whole, because contexts that are merely cut collide.
 */
export function bitbucketKey(context: string): string {
  if (context.length <= keyLength) return context;
  const hash = createHash('sha256').update(context).digest('hex').slice(0, hashLength);
  return `${context.slice(0, startLength)}-${hash}`;
}
