import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Response, Router } from 'express';
import type { Services } from '../services/services.js';

/** Folder with the bundled agent in one file and its installer, which `npm run build` makes. */
const builtFolder = fileURLToPath(new URL('../agent-bundle/', import.meta.url));

interface AgentFile {
  content: Buffer;
  contentType: string;
  /** Of the content, in hexadecimal digits. */
  sha256: string;
}

/**
 * The bundled agent for other machines: `/slipway-agent.mjs`, its checksum (`.sha256`, as `sha256sum` writes it) and
 * `/install.sh`, which installs it from `baseUrl` of the services, known by the first request. Nothing here is secret:
 * an agent needs a token to connect.
 */
export function agentFilesRouter(services: Pick<Services, 'baseUrl'>, folder = builtFolder): Router {
  const router = Router();
  let files: Promise<Map<string, AgentFile>> | null = null;
  const load = (): Promise<Map<string, AgentFile>> =>
    (files ??= readFiles(folder, services.baseUrl).catch((error: unknown) => {
      files = null;
      throw error;
    }));
  router.get('/:name', async (request, response, next) => {
    if (!names.has(request.params.name)) return next();
    const file = await load().then(
      (all) => all.get(request.params.name),
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
    if (file) send(response, file);
    else response.status(404).json({ message: 'This installation was built without the agent (npm run build)' });
  });
  return router;
}

const names: ReadonlySet<string> = new Set(['slipway-agent.mjs', 'slipway-agent.mjs.sha256', 'install.sh']);

async function readFiles(folder: string, baseUrl: string): Promise<Map<string, AgentFile>> {
  const [agent, installer] = await Promise.all([
    readFile(`${folder}/slipway-agent.mjs`),
    readFile(`${folder}/install.sh`, 'utf8'),
  ]);
  const script = installer
    .replaceAll('@QUOTED_BASE_URL@', () => `'${baseUrl.replaceAll("'", `'\\''`)}'`)
    .replaceAll('@BASE_URL@', () => baseUrl);
  const program = agentFile(agent, 'text/javascript');
  return new Map([
    ['slipway-agent.mjs', program],
    ['slipway-agent.mjs.sha256', agentFile(`${program.sha256}  slipway-agent.mjs\n`, 'text/plain')],
    ['install.sh', agentFile(script, 'text/x-shellscript')],
  ]);
}

function agentFile(data: string | Buffer, type: string): AgentFile {
  const content = Buffer.from(data);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { content, sha256, contentType: `${type}; charset=utf-8` };
}

/** Express answers HEAD and `If-None-Match` by the entity tag. */
function send(response: Response, { content, contentType, sha256 }: AgentFile): void {
  response
    .set({
      'Content-Type': contentType,
      ETag: `"${sha256}"`,
      // Updated with the server: always asked again.
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(content);
}
