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
}

export const noWork = (): AgentWork => ({ acceptances: [], logs: new Map() });

/** What a job writes; the number of chunks it is sent in. */
export interface Behaviour {
  chunks: number;
  pauseMs: number;
}

/** Only speaks the protocol: takes jobs and says they passed, however often a call has to be repeated. */
export class ProtocolAgent {
  private id = '';
  private session = '';

  constructor(private readonly caller: HttpCaller, private readonly work: AgentWork, private readonly behaviour: Behaviour) {}

  async run(stop: AbortSignal): Promise<void> {
    const registered = await this.send('POST', '/register', agentToken, { name: 'agent-%n', hostname: 'box', version: '3.137.0', meta_data: ['queue=default'] });
    if (registered.status !== 200) throw new Error(`register answered ${registered.status}: ${JSON.stringify(registered.body)}`);
    this.id = registered.body.id;
    this.session = registered.body.access_token;
    await this.send('POST', '/connect', this.session);
    while (!stop.aborted) {
      const { status, body } = await this.send('GET', '/ping', this.session);
      if (status !== 200) throw new Error(`ping answered ${status}: ${JSON.stringify(body)}`);
      if (body.job) await this.take(body.job.id);
      else await sleep(100);
    }
    await this.send('POST', '/disconnect', this.session);
  }

  private async take(job: string): Promise<void> {
    const accepted = await this.send('PUT', `/jobs/${job}/accept`, this.session);
    if (accepted.status !== 200) return;
    const token: string = accepted.body.token;
    this.work.acceptances.push({ agent: this.id, job, token });
    if ((await this.send('PUT', `/jobs/${job}/start`, token, { started_at: new Date().toISOString() })).status !== 200) return;
    for (let sequence = 1, offset = 0; sequence <= this.behaviour.chunks; sequence += 1) {
      const text = `line ${sequence} of job ${job}\n`;
      if (!(await this.write(job, token, sequence, offset, text))) return;
      offset += text.length;
    }
    await sleep(this.behaviour.pauseMs);
    await this.send('PUT', `/jobs/${job}/finish`, token, { exit_status: '0', finished_at: new Date().toISOString(), chunks_failed_count: 0 });
  }

  private async write(job: string, token: string, sequence: number, offset: number, text: string): Promise<boolean> {
    const headers = { Authorization: `Token ${token}`, 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    const { status } = await this.caller.call('POST', `/v3/jobs/${job}/chunks?sequence=${sequence}&offset=${offset}&size=${text.length}`, headers, gzipSync(text));
    if (status >= 300) return false;
    const written = this.work.logs.get(token) ?? { job, text: '' };
    this.work.logs.set(token, { job, text: written.text + text });
    return true;
  }

  private send(method: string, path: string, token: string, body?: object): Promise<Answer> {
    const headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json', 'User-Agent': 'buildkite-agent/3.137.0.x (linux; amd64)' };
    return this.caller.call(method, `/v3${path}`, headers, body === undefined ? undefined : JSON.stringify(body));
  }
}
