/** The folder of an artifact's path, `.` where it has none, and its last part (rest-facts 3.2, as recorded). */
export function splitArtifactPath(path: string): { dirname: string; filename: string } {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return { dirname: '.', filename: path };
  return { dirname: path.slice(0, slash) || '/', filename: path.slice(slash + 1) };
}

const octets = 'application/octet-stream';

/** A media type that can stand in a header; what an agent gives that is none, or nothing, is plain bytes. */
export function mediaType(given: string | null | undefined): string {
  const text = (given ?? '').trim();
  return text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\t\x20-\x7e]*)?$/.test(text) ? text : octets;
}

/** Media types a browser may show in place: it runs nothing in them. Everything else is saved. */
export function isShownInPlace(type: string): boolean {
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return plain === 'text/plain' || plain === 'application/pdf' || plain === 'application/json' || (/^(image|audio|video)\//.test(plain) && plain !== 'image/svg+xml');
}
