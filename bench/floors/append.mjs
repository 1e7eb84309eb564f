// The floor of taking log chunks: the bytes are appended to a file for each path and synced, then answered.
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-append-'));
const files = new Map();
const server = createServer(async (asked, response) => {
  const pieces = [];
  for await (const piece of asked) pieces.push(piece);
  const name = join(directory, asked.url.replace(/\W/g, ''));
  if (!files.has(name)) files.set(name, open(name, 'a'));
  const file = await files.get(name);
  await file.appendFile(Buffer.concat(pieces));
  await file.datasync();
  response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
process.once('SIGTERM', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
