import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const isRoot = process.getuid?.() === 0;
/** Milliseconds that a proxy has to stop. */
const patienceMs = 5_000;

/** A program of the machine, or the one that a variable of its name names (`TRAEFIK`); null where there is none. */
export function installedProgram(name: string): string | null {
  const named = process.env[name.toUpperCase()];
  if (named) return named;
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** A proxy that runs a configuration of ours until it is stopped. */
export class ProxyProgram {
  /** What it has printed. */
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)));
  }

  /** Runs nginx with a file of `conf.d`. */
  static nginx(program: string, site: string): ProxyProgram {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-nginx-'));
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join(' ');
    const main = `${isRoot ? 'user root;' : ''} daemon off; pid ${directory}/pid; error_log stderr; events {}
http { access_log off; ${folders} include ${directory}/site.conf; }`;
    writeFileSync(join(directory, 'site.conf'), site);
    writeFileSync(join(directory, 'nginx.conf'), main);
    return new ProxyProgram(spawn(program, ['-p', directory, '-c', join(directory, 'nginx.conf')]), directory);
  }

  /** Runs Caddy with a Caddyfile. */
  static caddy(program: string, caddyfile: string): ProxyProgram {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-caddy-'));
    writeFileSync(join(directory, 'Caddyfile'), caddyfile);
    const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
    const args = ['run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'];
    return new ProxyProgram(spawn(program, args, { env }), directory);
  }

  /**
   * Runs Traefik with a static configuration, which names `/etc/traefik/slipway.yml`, and the routes in that file.
   */
  static traefik(program: string, configuration: string, routes: string): ProxyProgram {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-traefik-'));
    const routesFile = join(directory, 'slipway.yml');
    writeFileSync(routesFile, routes);
    const file = join(directory, 'traefik.yml');
    writeFileSync(file, configuration.replace('/etc/traefik/slipway.yml', routesFile));
    return new ProxyProgram(spawn(program, [`--configFile=${file}`]), directory);
  }

  /** Waits until an address answers in whatever way. */
  async answers(url: string): Promise<void> {
    for (let attempt = 0; attempt < 1_500 && this.child.exitCode === null; attempt += 1) {
      if (await fetch(url).catch(() => null)) return;
      await sleep(20);
    }
    throw new Error(`the proxy does not answer:\n${this.output}`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      // Caddy may wait without end for a connection that was upgraded.
      const kill = setTimeout(() => this.child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(kill);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
