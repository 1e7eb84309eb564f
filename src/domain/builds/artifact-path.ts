/** The folder of an artifact's path, `.` where it has none, and its last part. */
export function splitArtifactPath(path: string): { dirname: string; filename: string } {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return { dirname: '.', filename: path };
  return { dirname: path.slice(0, slash) || '/', filename: path.slice(slash + 1) };
}

const octets = 'application/octet-stream';

/** Returns a media type that is valid in a header; an absent or invalid one becomes plain bytes. */
export function mediaType(contentType: string | null | undefined): string {
  const text = (contentType ?? '').trim();
  return text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\t\x20-\x7e]*)?$/.test(text) ? text : octets;
}

/** Media types a browser may show in place: it runs nothing in them. Everything else is saved. */
export function isShownInPlace(type: string): boolean {
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    plain === 'text/plain' ||
    plain === 'application/pdf' ||
    plain === 'application/json' ||
    (/^(image|audio|video)\//.test(plain) && plain !== 'image/svg+xml')
  );
}
