import { readFileSync } from 'node:fs';

/** Version of the installed package, which the server, the program and the agent all say. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
