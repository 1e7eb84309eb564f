import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { downloadArtifact, targetPath } from '../../src/agent/artifacts/download-artifact.js';
import { temporaryDirectory } from '../support/database.js';

describe('where a downloaded artifact goes', () => {
  test.each([
    ['a.txt', '/work', '/work/a.txt'],
    ['pkg/a.txt', '/work/pkg', '/work/pkg/a.txt'],
    ['pkg', '/work/pkg', '/work/pkg/pkg'],
    ['pkg/a.txt', '/work/other', '/work/other/pkg/a.txt'],
    ['../../etc/passwd', '/work', '/work/etc/passwd'],
    ['a/../../b', '/work', '/work/a/b'],
    ['/abs/file', '/work', '/work/abs/file'],
    ['dir\\sub\\file', '/work', '/work/dir/sub/file'],
    ['a', '/', '/a'],
  ])('%s in %s is %s', (path, folder, target) => {
    expect(targetPath(path, folder)).toBe(target);
  });
});

describe('the download of an artifact', () => {
  const folder = temporaryDirectory();
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/absent') response.writeHead(404).end();
      else if (request.url === '/broken') {
        response.writeHead(200, { 'Content-Length': '100' }).write('half');
        setImmediate(() => response.destroy());
      } else response.end('content');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    folder.remove();
  });

  test('a whole file with the right sum gets its name', async () => {
    const sha1 = createHash('sha1').update('content').digest('hex');
    await downloadArtifact({ path: 'in/file', url, sha1 }, folder.path);
    expect(readFileSync(`${folder.path}/in/file`, 'utf8')).toBe('content');
  });

  test.each([
    ['is absent', '/absent', '', /404/, false],
    ['breaks off', '/broken', '', /broke off/, true],
    ['has another sum', '/', '0'.repeat(40), /SHA-1/, true],
  ])('a file that %s leaves nothing behind', async (_, path, sha1, message, retryable) => {
    const download = downloadArtifact({ path: 'bad/file', url: `${url}${path}`, sha1 }, folder.path);
    await expect(download).rejects.toThrow(message);
    await expect(download).rejects.toMatchObject({ retryable });
    expect(readdirSync(`${folder.path}/bad`)).toEqual([]);
  });
});
