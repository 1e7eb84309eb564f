import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installedProgram } from './proxy-programs.js';
import { testPort } from './test-port.js';

/** An S3 server that is one program: https://github.com/versity/versitygw, over a folder. */
const name = 'versitygw';
const module = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const installTimeoutMs = 600_000;

/**
 * The program of an S3 server: one that is installed, `S3_SERVER`, or what Go's own client installs, once for this
 * checkout. `reason` says why there is none.
 */
export async function objectServerProgram(): Promise<{ program: string } | { reason: string }> {
  const own = join(process.cwd(), 'tmp', 's3-server');
  const places = [process.env['S3_SERVER'], installedProgram(name), join(homedir(), 'go/bin', name), join(own, name)];
  const installed = places.find((path) => path && existsSync(path));
  if (installed) return { program: installed };
  const go = installedProgram('go') ?? '/usr/local/go/bin/go';
  if (!existsSync(go)) return { reason: `neither ${name} nor Go is installed` };
  mkdirSync(own, { recursive: true });
  try {
    const env = { ...process.env, GOBIN: own };
    await promisify(execFile)(go, ['install', module], { env, timeout: installTimeoutMs });
    return { program: join(own, name) };
  } catch (error) {
    return { reason: `go install ${module} failed: ${String((error as { stderr?: string }).stderr).slice(-300)}` };
  }
}

/** A real S3 server with one empty bucket, until it is stopped. */
export class ObjectServer {
  static readonly bucket = 'slipway';
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly endpoint: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)));
  }

  static async start(program: string): Promise<ObjectServer> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-s3-'));
    mkdirSync(join(directory, this.bucket));
    const address = `127.0.0.1:${await testPort()}`;
    const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = ObjectServer.credentials;
    const args = ['--access', access, '--secret', secret, '--port', address, '--quiet', 'posix', directory];
    const server = new ObjectServer(spawn(program, args), directory, `http://${address}`);
    await server.answers();
    return server;
  }

  static readonly credentials = { AWS_ACCESS_KEY_ID: 'slipway', AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-test' };

  /** `STORAGE_URL` of the bucket. */
  get url(): string {
    return `s3://${ObjectServer.bucket}/objects?endpoint=${encodeURIComponent(this.endpoint)}&region=us-east-1`;
  }

  private async answers(): Promise<void> {
    for (let attempt = 0; attempt < 1_500 && this.child.exitCode === null; attempt += 1) {
      if (await fetch(this.endpoint).catch(() => null)) return;
      await sleep(20);
    }
    throw new Error(`the S3 server does not answer:\n${this.output}`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
