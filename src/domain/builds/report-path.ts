const pages = /\.x?html?$/i;

/** Whether an artifact is a page that can be opened as a report, by its media type or the end of its path. */
export function isReportPage({ contentType, path }: { contentType: string; path: string }): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'text/html' || type === 'application/xhtml+xml' || pages.test(path);
}

/**
 * The path of an artifact as it stands in the address of a report, encoded. Null for one that no address can
 * name, because browsers resolve its segments.
 */
export function pathInReport(path: string): string | null {
  const segments = path.replaceAll('\\', '/').replace(/^\/+/, '').split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return null;
  if (segments.join('') === '' || !path.isWellFormed()) return null;
  return segments.map(encodeURIComponent).join('/');
}

/**
 * Paths of artifacts that an address of a report may mean, the likeliest first: as it is, with the separators of
 * Windows, and from the root. A folder means its `index.html`.
 */
export function pathsOfReportFile(inAddress: string): string[] {
  const path = inAddress === '' || inAddress.endsWith('/') ? `${inAddress}index.html` : inAddress;
  return [...new Set([path, path.replaceAll('/', '\\'), `/${path}`])];
}
