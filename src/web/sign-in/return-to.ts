const longest = 2_000;

/**
 * The path that a person goes on to after signing in: `text` if it is a path of this origin, else `/`. Other origins
 * are never an answer, in whatever spelling browsers would read them (`//host`, `/\host`, `/%09/host`).
 */
export function localPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > longest || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/';
  const base = 'http://local.invalid';
  if (!URL.canParse(text, base)) return '/';
  const { origin, pathname, search, hash } = new URL(text, base);
  // A path such as `/..//host` is `//host` once it is resolved.
  if (origin !== base || pathname.startsWith('//') || /^\/(login|logout)(\/|$)/.test(pathname)) return '/';
  return pathname + search + hash;
}

/** The address at which single sign-on begins that leads back to a path. */
export const singleSignOnPath = (path: string): string =>
  `/login/oidc?return_to=${encodeURIComponent(localPath(path))}`;

/** The address of the sign-in page that leads back to a path. */
export function signInPath(path: string): string {
  const target = localPath(path);
  return target === '/' ? '/login' : `/login?return_to=${encodeURIComponent(target)}`;
}
