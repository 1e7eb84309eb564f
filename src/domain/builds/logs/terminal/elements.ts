import { imageType } from './content-type.js';
import { escapeAttribute } from './escape-html.js';
import { keyAndValue, SequenceError, splitTokens } from './tokens.js';
import { safeUrl, unsafeUrl } from './url.js';

/** Content that an operating system command inserts into the log. */
export type Element =
  { kind: 'hyperlink'; url: string } | { kind: 'link'; html: string } | { kind: 'image'; html: string };

interface Arguments {
  url: string;
  alt: string;
  content: string;
  contentType: string;
  inline: boolean;
  width: string;
  height: string;
}

/** Longest target of a hyperlink: it is written again for every row it spans. A longer one links nothing. */
const maxHyperlink = 8192;

function isBase64(text: string): boolean {
  const digits = text.replace(/[\r\n]/g, '');
  return digits.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, ''));
}

function dimension(text: string): string {
  const value = text.toLowerCase();
  return value.endsWith('px') || value.endsWith('%') ? value : `${value}em`;
}

function readArguments(text: string, named: boolean): Arguments {
  const result: Arguments = { url: '', alt: '', content: '', contentType: '', inline: false, width: '', height: '' };
  for (const token of splitTokens(text)) {
    const pair = keyAndValue(token);
    if (!pair) continue;
    const [key, value] = [pair[0].toLowerCase(), pair[1]];
    if (key === 'name') {
      if (!isBase64(value)) throw new SequenceError(`name= value of ${JSON.stringify(value)} is not valid base64`);
      result.url = Buffer.from(value, 'base64').toString('utf8');
      result.contentType = imageType(result.url);
    } else if (key === 'inline') result.inline = value === '1';
    else if (key === 'width' || key === 'height') result[key] = dimension(value);
    else if (key === 'url' || key === 'alt' || key === 'content') result[key] = value;
  }
  if (!named && result.url === '') throw new SequenceError('url= argument not supplied');
  if (named && result.url === '') {
    throw new SequenceError('name= argument not supplied, required to determine content type');
  }
  if (named && result.contentType === '') {
    throw new SequenceError(`can't determine content type for ${JSON.stringify(result.url)}`);
  }
  return result;
}

function imageTag(args: Arguments, src: string): string {
  const attributes = [`alt="${escapeAttribute(args.alt || args.url)}"`, `src="${escapeAttribute(src)}"`];
  if (args.width !== '') attributes.push(`width="${escapeAttribute(args.width)}"`);
  if (args.height !== '') attributes.push(`height="${escapeAttribute(args.height)}"`);
  return `<img ${attributes.join(' ')}>`;
}

function inlineImage(text: string): Element | null {
  const parts = text.split(':');
  const [argumentText = '', content = ''] = parts;
  if (parts.length !== 2) {
    throw new SequenceError(
      `expected sequence to have one arguments part and one content part, got ${parts.length} part(s)`,
    );
  }
  if (content === '') throw new SequenceError('image content missing');
  if (!isBase64(content)) throw new SequenceError('expected content part to be valid Base64');
  const args = readArguments(argumentText, true);
  return args.inline ? { kind: 'image', html: imageTag(args, `data:${args.contentType};base64,${content}`) } : null;
}

function image(text: string): Element {
  const args = readArguments(text, false);
  const src = safeUrl(args.url);
  return { kind: 'image', html: src === '' || src === unsafeUrl ? '' : imageTag(args, src) };
}

function link(text: string): Element {
  const { url, content } = readArguments(text, false);
  return { kind: 'link', html: `<a href="${escapeAttribute(safeUrl(url))}">${escapeAttribute(content || url)}</a>` };
}

function hyperlink(text: string): Element | null {
  const [, url, ...more] = text.split(';');
  if (url === undefined || more.length > 0) return null;
  return { kind: 'hyperlink', url: url.length > maxHyperlink ? '' : url };
}

const commands: readonly (readonly [prefix: string, read: (text: string) => Element | null])[] = [
  ['8;', hyperlink],
  ['1337;File=', inlineImage],
  ['1338;', image],
  ['1339;', link],
];

/**
 * Reads the content of an operating system command.
 * Returns null for commands that show nothing; throws SequenceError for malformed ones.
 */
export function readElement(content: string): Element | null {
  for (const [prefix, read] of commands) if (content.startsWith(prefix)) return read(content.slice(prefix.length));
  return null;
}
