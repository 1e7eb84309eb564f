import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { backUp } from '../../src/resources/installation/backup/back-up.js';
import { backupFile, writeBackupFile } from '../../src/resources/installation/backup/backup-file.js';
import {
  decrypted,
  type Encryption,
  readDecryption,
  readEncryption,
} from '../../src/resources/installation/backup/encryption.js';
import { restoreBackup } from '../../src/resources/installation/backup/restore.js';
import { isScheduledBackup, storeBackup, storedBackup } from '../../src/resources/installation/backup/stored-backup.js';
import { verifyBackup } from '../../src/resources/installation/backup/verify.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import { finishedBuild } from '../check/damages.js';
import { S3Server } from '../storage/s3-server.js';
import { testUnless } from '../support/skips.js';
import { World } from '../support/world.js';
import { Copies, digestsOfObjects, digestsOfRows } from './copies.js';

const version = '0.0.0';

describe('a backup that is encrypted, or lies in a bucket', () => {
  let world: World;
  let copies: Copies;
  let encryption: Encryption;
  let identity: string;
  beforeAll(async () => {
    copies = new Copies();
    world = await World.create();
    await checkSecretKeys(world.services);
    await claimStorage(world.services);
    await finishedBuild(world);
    const key = await generateX25519Identity();
    identity = copies.path('backup.key');
    writeFileSync(identity, `# created: now\n${key}\n`);
    writeFileSync(copies.path('backup.pub'), `# ours\n\n${await identityToRecipient(key)}\n`);
    encryption = await readEncryption(copies.path('backup.pub'));
    await writeBackupFile(copies.path('encrypted'), write, { encryption });
  }, 60_000);
  afterAll(async () => {
    await copies.remove();
    await world.close();
  });

  const write = (sink: Parameters<typeof backUp>[1]) =>
    backUp({ database: world.database, services: world.services }, sink, { version });

  async function expectWhole(open: ReturnType<typeof backupFile>, name: string) {
    const copy = await copies.empty(name);
    await restoreBackup(
      open,
      { ...copy, secretKey: world.services.secretKey },
      { sendsPending: true, progress: () => undefined },
    );
    // An agent's last ping is stored a moment after it.
    const { agents: _restored, ...rows } = await digestsOfRows(copy.database.db);
    const { agents: _original, ...before } = await digestsOfRows(world.services.db);
    expect(rows).toEqual(before);
    const objects = await digestsOfObjects(copy.storage);
    expect(Object.keys(objects).length).toBeGreaterThan(1);
    expect(objects).toEqual(await digestsOfObjects(world.services.storage));
  }

  test('is restored with the private key, and has nothing to read without', async () => {
    const bytes = readFileSync(copies.path('encrypted'));
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(bytes.includes('slipway-backup.json')).toBe(false);
    await expectWhole(decrypted(backupFile(copies.path('encrypted')), await readDecryption(identity)), 'decrypted');
  });

  testUnless(installed('age'), 'is read by the program age, as a tar archive', () => {
    const archive = execFileSync('age', ['-d', '-i', identity, copies.path('encrypted')], { maxBuffer: 1e9 });
    const names = execFileSync('tar', ['-t'], { input: archive, encoding: 'utf8' }).split('\n');
    expect(names[0]).toBe('slipway-backup.json');
    expect(names.at(-2)).toBe('manifest.json');
  });

  test('is refused without a key, with another one, and if a byte of it was changed or the end is missing', async () => {
    const open = backupFile(copies.path('encrypted'));
    const key = await readDecryption(identity);
    await expect(verifyBackup(decrypted(open, null))).rejects.toThrow(
      /is encrypted: give the file .* \(--identity FILE\)/,
    );
    writeFileSync(copies.path('other.key'), await generateX25519Identity());
    const other = await readDecryption(copies.path('other.key'));
    await expect(verifyBackup(decrypted(open, other))).rejects.toThrow(/other\.key has not the key that this backup/);
    const bytes = readFileSync(copies.path('encrypted'));
    const broken = copies.path('broken');
    for (const change of [flipped(bytes, bytes.length >> 1), bytes.subarray(0, bytes.length - 100)]) {
      writeFileSync(broken, change);
      await expect(verifyBackup(decrypted(backupFile(broken), key))).rejects.toThrow(/^the backup is/);
    }
    const plain = await verifyBackup(decrypted(open, key));
    expect(plain.header.version).toBe(version);
  });

  test.each([
    ['a private key', () => readFileSync(identity, 'utf8'), /has a private key: encrypt to the public one/],
    ['something else', () => 'ssh-rsa AAAA', /has a line that is no public key of age/],
    ['nothing', () => '# later\n', /has no public key/],
  ])('is not made where the file of public keys has %s', async (_name, text, message) => {
    writeFileSync(copies.path('wrong'), text());
    await expect(readEncryption(copies.path('wrong'))).rejects.toThrow(message);
  });

  describe('in a bucket', () => {
    const server = new S3Server();
    let bucket: S3Storage;
    beforeAll(async () => {
      const endpoint = await server.start();
      const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
      bucket = new S3Storage({ bucket: 'bucket', prefix: 'backups', region: 'us-east-1', endpoint, credentials });
    });
    afterAll(() => server.stop());

    test.each([
      ['plain', false],
      ['encrypted', true],
    ])('is stored, and restored from there, %s', async (name, isEncrypted) => {
      const { bytes } = await storeBackup(bucket, `${name}.tar`, write, {
        encryption: isEncrypted ? encryption : null,
      });
      expect((await bucket.stat(`${name}.tar`))?.size).toBe(bytes);
      const key = isEncrypted ? await readDecryption(identity) : null;
      await expectWhole(decrypted(storedBackup(bucket, `${name}.tar`), key), `from the bucket, ${name}`);
    });

    test('is sent in parts of 32 MiB, however large it is', async () => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      const large = async (sink: Parameters<typeof write>[0]) => {
        for (let count = 0; count < 70; count += 1)
          if (!sink.write(piece)) await new Promise((resolve) => sink.once('drain', resolve));
        sink.end();
      };
      const { bytes } = await storeBackup(bucket, 'large.tar', large, { encryption: null });
      expect(bytes).toBe(70 * piece.length);
      const parts = server.requests.filter((request) => /large\.tar.*partNumber=/.test(request));
      expect(parts).toHaveLength(3);
      await bucket.delete('large.tar');
    });

    test('goes on after the network was cut, and sends no part again that was taken', async () => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      const large = async (sink: Parameters<typeof write>[0]) => {
        for (let count = 0; count < 70; count += 1)
          if (!sink.write(piece)) await new Promise((resolve) => sink.once('drain', resolve));
        sink.end();
      };
      // More than the three attempts that other objects have.
      server.partsToCut = 8;
      const { bytes } = await storeBackup(bucket, 'cut.tar', large, { encryption: null });
      expect([bytes, server.partsToCut]).toEqual([70 * piece.length, 0]);
      expect((await bucket.stat('cut.tar'))?.size).toBe(bytes);
      expect(server.requests.filter((request) => /cut\.tar.*partNumber=/.test(request))).toHaveLength(3 + 8);
      await bucket.delete('cut.tar');
    }, 60_000);

    test('is not there, nor a part of it, if it could not be made', async () => {
      const before = server.objects.size;
      const failing = (sink: Parameters<typeof write>[0]) =>
        new Promise<never>((_resolve, reject) => sink.write(Buffer.alloc(8e6), () => reject(new Error('no database'))));
      await expect(storeBackup(bucket, 'failed.tar', failing, { encryption })).rejects.toThrow('no database');
      expect(server.objects.size).toBe(before);
      await expect(storeBackup(bucket, 'plain.tar', write, { encryption })).rejects.toThrow(/already/);
      await expect(verifyBackup(storedBackup(bucket, 'failed.tar'))).rejects.toThrow(/there is no backup "failed.tar"/);
    });
  });

  test('has a name that the schedule knows as one of its own only if it made it for this installation', () => {
    const installation = '0123abcd-0000-4000-8000-000000000000';
    expect(isScheduledBackup('slipway-0123abcd-20260102T030405Z.scheduled.tar.age', installation)).toBe(true);
    expect(isScheduledBackup('slipway-0123abcd-20260102T030405Z.tar', installation)).toBe(false);
    expect(isScheduledBackup('slipway-ffffffff-20260102T030405Z.scheduled.tar', installation)).toBe(false);
  });
});

function flipped(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

function installed(program: string): string | null {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return `${program} is not installed`;
  }
}
