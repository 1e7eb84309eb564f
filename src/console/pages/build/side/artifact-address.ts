const scheme = 'artifact://';
const prefix = 'artifact-';

/** The path that an address `artifact://PATH` names; null for other addresses. */
export const artifactPath = (url: string): string | null => (url.startsWith(scheme) ? url.slice(scheme.length) : null);

/** What stands behind `#` for an artifact of the build. */
export const artifactHash = (uuid: string): string => prefix + uuid;

/** UUID of the artifact that stands behind `#`, with or without lines; null for anything else. */
export function artifactOfHash(hash: string): string | null {
  return hash.startsWith(prefix) ? (hash.slice(prefix.length).split('/')[0] ?? null) : null;
}
