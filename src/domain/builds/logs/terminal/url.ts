/** Replaces a URL that must not be followed. */
export const unsafeUrl = '#';

/** Schemes a log may link to or load from; anything else (`javascript:` above all) becomes `#`. */
export const allowedSchemes: readonly string[] = [
  'http',
  'https',
  'ftp',
  'ftps',
  'sftp',
  'mailto',
  'tel',
  'ssh',
  'git',
  'file',
  'artifact',
  'itms-services',
  'vscode',
];

const pathCharacters = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/;
const fragmentCharacters = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/;
const badEscape = /%(?![0-9A-Fa-f]{2})/;

/** Percent-encodes characters that RFC 3986 does not allow. */
function encode(part: string, allowed: RegExp, keep: RegExp): string {
  if (allowed.test(part)) return part;
  return part.replace(/%[0-9A-Fa-f]{2}|[^%]/gu, (unit) => {
    if (unit.length === 3 && unit.startsWith('%')) return unit.toUpperCase();
    return keep.test(unit) ? unit : encodeByte(unit);
  });
}

function encodeByte(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/**
 * Makes a URL from a log safe for an attribute: returns relative URLs and allowed schemes, with path and fragment
 * percent-encoded where RFC 3986 requires it and the query unchanged; `#` for any other URL.
 */
export function safeUrl(url: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is refused here
  if (/[\x00-\x1f\x7f]/.test(url)) return unsafeUrl;
  const [beforeFragment = '', ...fragmentParts] = url.split('#');
  const fragment = fragmentParts.length > 0 ? fragmentParts.join('#') : null;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeFragment)?.[1];
  if (scheme !== undefined && !allowedSchemes.includes(scheme.toLowerCase())) return unsafeUrl;
  const rest = scheme === undefined ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const queryAt = rest.indexOf('?');
  const hierarchy = queryAt < 0 ? rest : rest.slice(0, queryAt);
  const query = queryAt < 0 ? '' : rest.slice(queryAt);

  // A first segment with a colon would read as a scheme.
  if (scheme === undefined && /^[^/]*:/.test(hierarchy)) return unsafeUrl;
  const authority = /^\/\/(?!\/)[^/]*/.exec(hierarchy)?.[0] ?? '';
  if (/[\s<>"\\^`{|}]/.test(authority)) return unsafeUrl;
  const path = hierarchy.slice(authority.length);
  if (badEscape.test(hierarchy) || badEscape.test(fragment ?? '')) return unsafeUrl;

  const isOpaque = scheme !== undefined && !hierarchy.startsWith('/');
  const safePath = isOpaque ? path : encode(path, pathCharacters, /[A-Za-z0-9\-._~$&+,/:;=@]/);
  const safeFragment = fragment ? `#${encode(fragment, fragmentCharacters, /[A-Za-z0-9\-._~$&+,/:;=?@!()*]/)}` : '';
  return `${scheme === undefined ? '' : `${scheme.toLowerCase()}:`}${authority}${safePath}${query}${safeFragment}`;
}
