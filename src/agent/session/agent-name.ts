import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Expands the placeholders an agent can know: `%hostname`, `%spawn` (1-based), `%pid`, `%random`.
 * Others (`%n`) are left for the server.
 */
export function expandAgentName(template: string, spawnIndex: number): string {
  return template
    .replaceAll('%hostname', () => hostname())
    .replaceAll('%spawn', String(spawnIndex))
    .replaceAll('%pid', String(process.pid))
    .replaceAll('%random', () => randomBytes(8).toString('hex'));
}
