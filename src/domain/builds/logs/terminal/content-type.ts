/** Formats a browser shows inside an `img`; active documents (HTML, scripts) are left out on purpose. */
const types: Readonly<Record<string, string>> = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/vnd.microsoft.icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
};

/** The content type of an inline image by the extension of its name, or the empty string where none is known. */
export function imageType(name: string): string {
  const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? (types[extension] ?? '') : '';
}
