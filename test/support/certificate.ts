import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installedProgram } from './proxy-programs.js';

/** Why no certificates can be made here; null where they can. */
export const noCertificates = installedProgram('openssl') ? null : 'openssl is not installed';

/** Makes a certificate for localhost and its key in a folder, as `NAME.crt` and `NAME.key`, valid for so many days. */
export function makeCertificate(folder: string, name: string, days = 30): { certificate: string; key: string } {
  const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const out = ['-keyout', files.key, '-out', files.certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-days', String(days), ...out], { stdio: 'pipe' });
  return files;
}
