import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the built console: the page that every address answers, and its scripts and styles under `assets`. */
export const builtConsole = fileURLToPath(new URL('../../../dist/console/', import.meta.url));

/**
 * Headers of the console's page. Scripts, styles and connections are our own host's only and nothing is written into
 * the page, so that what slipped through a log or an annotation could neither run nor load nor send anything.
 */
export const shellHeaders = {
  'Content-Security-Policy': [
    `default-src 'self'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `frame-src 'self' blob:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // The page itself is small, and names the assets of one version.
  'Cache-Control': 'no-store',
} as const;

/** Reads the console's page, again where it changed; null while no console is built. */
export class Shell {
  private read: { html: string; modifiedMs: number } | null = null;

  constructor(private readonly folder: string) {}

  async html(): Promise<string | null> {
    const path = join(this.folder, 'index.html');
    try {
      const { mtimeMs } = await stat(path);
      if (this.read?.modifiedMs !== mtimeMs) this.read = { html: await readFile(path, 'utf8'), modifiedMs: mtimeMs };
      return this.read.html;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
