import { extname } from 'node:path/posix';
import type { Request, Response } from 'express';
import { isShownInPlace, splitArtifactPath } from '../domain/builds/artifact-path.js';
import { ownOrigins } from '../http/own-origin.js';
import type { ReadableArtifact } from '../resources/builds/artifacts/readable-artifact.js';
import type { Services } from '../services/services.js';
import { sendBytes } from './send-artifact.js';

/**
 * Sends a file of a report, which a browser shows as a page. Its scripts are somebody else's: the sandbox gives them an
 * origin that is nobody's, so that neither session nor storage nor page of the console is theirs, and they reach
 * nothing but the files of their own report.
 */
export async function sendReportFile(
  file: ReadableArtifact,
  services: Services,
  request: Request,
  response: Response,
): Promise<void> {
  setType(file.artifact, response);
  response.set({
    'Content-Security-Policy': policyOf(foldersOf(services, request)),
    'Referrer-Policy': 'no-referrer',
    // An origin that is nobody's is not ours: only this lets pages load their own scripts and fonts.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
  await sendBytes(file, request, response);
}

/** The type is that of the name, which is what the pages of a report count on, not that which an agent has stated. */
function setType({ path, contentType }: ReadableArtifact['artifact'], response: Response): void {
  const { filename } = splitArtifactPath(path.replaceAll('\\', '/'));
  response.type(extname(filename) || 'bin');
  if (response.get('Content-Type') !== 'application/octet-stream') return;
  // Not by `set`, which would add a charset that nobody stated.
  if (isShownInPlace(contentType) || /^text\/html\b/i.test(contentType))
    response.setHeader('Content-Type', contentType);
  else response.attachment(filename || 'artifact');
}

/** An origin of letters that a policy can hold: a host may have others. */
const plainOrigin = /^https?:\/\/[\w.:[\]-]+$/;

/** The folder of the report, at every origin that the browser may have it from. */
function foldersOf(services: Services, request: Request): string[] {
  const { token } = request.params;
  const facts = { baseUrl: services.reportsUrl ?? services.baseUrl, trustsProxy: services.trustsProxy };
  const origins = ownOrigins(facts, request).filter((origin) => plainOrigin.test(origin));
  return [...new Set(origins)].map((origin) => `${origin}/files/reports/${String(token)}/`);
}

/**
 * No `frame-ancestors`: a page of a report may show another in a frame, and the origin of neither has a name. It may
 * send forms and open frames within the report alone, and open other pages as windows, as
 * any page may.
 */
function policyOf(folders: readonly string[]): string {
  const own = folders.join(' ');
  return [
    `default-src 'none'`,
    `script-src ${own} 'unsafe-inline' 'unsafe-eval' blob:`,
    `style-src ${own} 'unsafe-inline'`,
    `img-src ${own} data: blob:`,
    `font-src ${own} data:`,
    `media-src ${own} data: blob:`,
    `connect-src ${own} data: blob:`,
    `frame-src ${own} data: blob:`,
    `worker-src blob:`,
    `base-uri ${own}`,
    `form-action ${own}`,
    'sandbox allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
