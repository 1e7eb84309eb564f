import { artifactPath } from '../side/artifact-address.js';

/**
 * Effect of an operating system command on a line: an address for the text after it, a link, or an image. Addresses of
 * links may be `artifact://PATH`, of an artifact of the job.
 */
export type LogElement =
  | { kind: 'hyperlink'; href: string | null }
  | { kind: 'link'; href: string; text: string }
  | { kind: 'image'; image: LogImage };

/**
 * An image within a log. `src` has its bytes; `artifact` is the path of one of the job's artifacts; else it is
 * elsewhere.
 */
export interface LogImage {
  src: string | null;
  artifact: string | null;
  href: string | null;
  alt: string;
}

const followed = /^(https?|ftps?|mailto|ssh|git|vscode):/i;
const longestAddress = 8_192;
/** Images that browsers show in an `img`, where nothing of them runs. */
const imageTypes: Readonly<Record<string, string>> = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

const safe = (address: string) =>
  address.length <= longestAddress && followed.test(address) && !/[\u0000-\u001f]/.test(address) ? address : null;
/** What a link may lead to: an artifact too. */
const target = (address: string) =>
  address.length <= longestAddress && artifactPath(address) ? address : safe(address);

/** `a=b;c='d;e'` by its names; quotes protect a semicolon. */
function argumentsOf(text: string): Map<string, string> {
  const argumentsByName = new Map<string, string>();
  for (const [, name = '', double, single, plain] of text.matchAll(/(\w+)=(?:"([^"]*)"|'([^']*)'|([^;]*))/g))
    argumentsByName.set(name.toLowerCase(), double ?? single ?? plain ?? '');
  return argumentsByName;
}

function namedImage(text: string): LogElement | null {
  const at = text.indexOf(':');
  const attributes = argumentsOf(text.slice(0, at));
  const content = text.slice(at + 1);
  if (at < 0 || attributes.get('inline') !== '1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(content)) return null;
  let name = '';
  try {
    name = atob(attributes.get('name') ?? '');
  } catch {
    return null;
  }
  const type = imageTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (!type) return null;
  const src = `data:${type};base64,${content}`;
  return { kind: 'image', image: { src, artifact: null, href: null, alt: attributes.get('alt') || name } };
}

/** Reads what stands between `ESC ]` and its end; null for commands that show nothing. */
export function readElement(command: string): LogElement | null {
  if (command.startsWith('1337;File=')) return namedImage(command.slice('1337;File='.length));
  const [number = '', rest = ''] = [command.slice(0, command.indexOf(';')), command.slice(command.indexOf(';') + 1)];
  if (number === '8') return { kind: 'hyperlink', href: target(rest.slice(rest.indexOf(';') + 1)) };
  if (number !== '1338' && number !== '1339') return null;
  const attributes = argumentsOf(rest);
  const url = attributes.get('url') ?? '';
  if (number === '1339') {
    const href = target(url);
    return href ? { kind: 'link', href, text: attributes.get('content') || url } : null;
  }
  const href = safe(url);
  const artifact = artifactPath(url);
  if (artifact === null && href === null) return null;
  return { kind: 'image', image: { src: null, artifact, href, alt: attributes.get('alt') || url } };
}
