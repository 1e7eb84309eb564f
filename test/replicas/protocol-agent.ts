import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Answer, HttpCaller } from './http-caller.js';
import { agentToken } from './installation.js';

/** An accept that was answered with success. The token names job and attempt. */
export interface Acceptance {
  agent: string;
  job: string;
  token: string;
}

export interface AgentWork {
  acceptances: Acceptance[];
  /** Acknowledged log bytes by job token. */
  logs: Map<string, { job: string; text: string }>;
  /** Artifacts whose end was acknowledged. */
  artifacts: { id: string; text: string }[];
  /** Calls for a job that were refused, after which its agent gives the job up: how often each. */
  refusals: Map<string, number>;
}

export const noWork = (): AgentWork => ({ acceptances: [], logs: new Map(), artifacts: [], refusals: new Map() });

/** What a job writes; the number of chunks it is sent in. */
export interface Behaviour {
  chunks: number;
  pauseMs: number;
  /** The length of each chunk, filled up with a pattern; as short as a line where absent. */
  chunkBytes?: number;
  /** What a chunk waits for, by its number from 1. */
  gate?: (sequence: number) => Promise<unknown>;
  /** Between two pings without a job: 100 ms where absent. */
  idleMs?: number;
  /** Whether each job uploads a file. */
  artifact?: boolean;
}

/** Only speaks the protocol: takes jobs and says they passed, however often a call has to be repeated. */
export class ProtocolAgent {
  private id = '';
  private session = '';

  constructor(
    private readonly caller: HttpCaller,
    private readonly work: AgentWork,
    private readonly behaviour: Behaviour,
  ) {}

  async run(stop: AbortSignal): Promise<void> {
    const registered = await this.send('POST', '/register', agentToken, {
      name: 'agent-%n',
      hostname: 'box',
      version: '3.137.0',
      meta_data: ['queue=default'],
    });
    if (registered.status !== 200)
      throw new Error(`register answered ${registered.status}: ${JSON.stringify(registered.body)}`);
    this.id = registered.body.id;
    this.session = registered.body.access_token;
    await this.send('POST', '/connect', this.session);
    while (!stop.aborted) {
      const { status, body } = await this.send('GET', '/ping', this.session);
      if (status !== 200) throw new Error(`ping answered ${status}: ${JSON.stringify(body)}`);
      if (body.job) await this.take(body.job.id);
      else await sleep(this.behaviour.idleMs ?? 100);
    }
    await this.send('POST', '/disconnect', this.session);
  }

  private async take(job: string): Promise<void> {
    const accepted = await this.send('PUT', `/jobs/${job}/accept`, this.session);
    if (this.isRefused('accept', accepted)) return;
    const token: string = accepted.body.token;
    this.work.acceptances.push({ agent: this.id, job, token });
    const started = await this.send('PUT', `/jobs/${job}/start`, token, { started_at: new Date().toISOString() });
    if (this.isRefused('start', started)) return;
    for (let sequence = 1, offset = 0; sequence <= this.behaviour.chunks; sequence += 1) {
      await this.behaviour.gate?.(sequence);
      const text =
        `line ${sequence} of job ${job}`.padEnd((this.behaviour.chunkBytes ?? 0) - 1, ' +++ 0123456789\n') + '\n';
      if (!(await this.write(job, token, sequence, offset, text))) return;
      offset += text.length;
    }
    if (this.behaviour.artifact && !(await this.upload(job, token))) return;
    await sleep(this.behaviour.pauseMs);
    const finish = { exit_status: '0', finished_at: new Date().toISOString(), chunks_failed_count: 0 };
    this.isRefused('finish', await this.send('PUT', `/jobs/${job}/finish`, token, finish));
  }

  /** Uploads a file of the job: registers it, sends its bytes, reports its end. */
  private async upload(job: string, token: string): Promise<boolean> {
    const text = `artifact of job ${job}`;
    const hash = (algorithm: string) => createHash(algorithm).update(text).digest('hex');
    const file = {
      path: 'a.txt',
      absolute_path: '/work/a.txt',
      glob_path: '*',
      file_size: text.length,
      sha1sum: hash('sha1'),
      sha256sum: hash('sha256'),
      content_type: 'text/plain',
    };
    const batch = { id: randomUUID(), artifacts: [file], upload_destination: '', multipart_supported: true };
    const registered = await this.send('POST', `/jobs/${job}/artifacts`, token, batch);
    if (this.isRefused('artifacts', registered)) return false;
    const [id]: string[] = registered.body.artifact_ids;
    const { pathname, search } = new URL(registered.body.per_artifact_instructions[id ?? ''].actions[0].url);
    const stored = await this.caller.call('PUT', pathname + search, { 'Content-Type': 'text/plain' }, text);
    if (this.isRefused('artifact bytes', stored)) return false;
    const ended = await this.send('PUT', `/jobs/${job}/artifacts`, token, { artifacts: [{ id, state: 'finished' }] });
    if (this.isRefused('artifact states', ended) || id === undefined) return false;
    this.work.artifacts.push({ id, text });
    return true;
  }

  private async write(job: string, token: string, sequence: number, offset: number, text: string): Promise<boolean> {
    const headers = { Authorization: `Token ${token}`, 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    const written = await this.caller.call(
      'POST',
      `/v3/jobs/${job}/chunks?sequence=${sequence}&offset=${offset}&size=${text.length}`,
      headers,
      gzipSync(text),
    );
    if (this.isRefused('chunk', written)) return false;
    const before = this.work.logs.get(token) ?? { job, text: '' };
    this.work.logs.set(token, { job, text: before.text + text });
    return true;
  }

  private isRefused(call: string, { status, body }: Answer): boolean {
    if (status < 300) return false;
    const refusal = `${call}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
    this.work.refusals.set(refusal, (this.work.refusals.get(refusal) ?? 0) + 1);
    return true;
  }

  private send(method: string, path: string, token: string, body?: object): Promise<Answer> {
    const headers = {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'User-Agent': 'buildkite-agent/3.137.0.x (linux; amd64)',
    };
    return this.caller.call(method, `/v3${path}`, headers, body === undefined ? undefined : JSON.stringify(body));
  }
}
