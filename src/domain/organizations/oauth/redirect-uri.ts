import { isLoopbackHost } from '../../loopback-host.js';

/**
 * Schemes of editors that receive what their browser brings. Any other scheme could be one that a browser or an
 * operating system carries out; `com.example.app`, which names a domain (RFC 8252, section 7.1), is nobody else's.
 */
const editorSchemes: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:']);
const domainScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** The hosts of links and addresses, as they may stand in a header and on a page. */
const plainHost = /^(\[[0-9a-f:.]+\]|[a-z0-9-]+(\.[a-z0-9-]+)*)$/;

/** The host of a URL without the brackets of an IPv6 address. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether a URL leads to the person's own machine, to whichever port the program listens on this time. */
export const isLoopback = (url: URL): boolean => url.protocol === 'http:' && isLoopbackHost(bareHost(url));

/**
 * The address of a program that people are sent back to: https, this machine, or the scheme of an app. Null for every
 * other one, and for what readers of addresses understand differently.
 */
export function redirectUrl(text: string): URL | null {
  // Browsers leave out line breaks and tabs, and take a backslash for a slash: others read another host then.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\') || text.includes('#') || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:' || isLoopback(url)) return plainHost.test(url.hostname) ? url : null;
  return editorSchemes.has(url.protocol) || domainScheme.test(url.protocol) ? url : null;
}

/**
 * The address that a program asks to be sent back to, if it is one of its own: the same text, or on this machine the
 * same path at any port (RFC 8252, section 7.3). Null for any other.
 */
export function ownRedirect(own: readonly string[], text: string): URL | null {
  const url = redirectUrl(text);
  if (!url) return null;
  if (own.includes(text)) return url;
  if (!isLoopback(url)) return null;
  const atSamePlace = own.some((each) => {
    const registration = redirectUrl(each);
    return registration !== null && isLoopback(registration) && withoutPort(registration) === withoutPort(url);
  });
  return atSamePlace ? url : null;
}

const withoutPort = ({ hostname, pathname, search }: URL): string => hostname + pathname + search;

/** An address with parameters of the answer added to its own. */
export function redirectWith(url: URL, parameters: Readonly<Record<string, string | null>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) target.searchParams.set(name, value);
  return target.href;
}
