import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { CommandFailure, type CommandIo } from './command-io.js';

const timeoutMs = 10_000;

/**
 * Calls the agent that runs this job, through the job's local socket; returns the JSON object of its reply.
 * @throws CommandFailure when there is none or it refuses
 */
export async function callAgent(
  io: CommandIo,
  method: string,
  path: string,
  json?: unknown,
): Promise<Record<string, unknown>> {
  const socketPath = io.env['BUILDKITE_AGENT_JOB_API_SOCKET'];
  const token = io.env['BUILDKITE_AGENT_JOB_API_TOKEN'];
  if (!socketPath || !token)
    throw new CommandFailure(
      'This command works in a job only: it needs BUILDKITE_AGENT_JOB_API_SOCKET and BUILDKITE_AGENT_JOB_API_TOKEN.',
    );
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const payload = json === undefined ? '' : JSON.stringify(json);
    // Node sends the body of a DELETE without its length unless told.
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
    };
    const call = request({ socketPath, method, path, headers, timeout: timeoutMs }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    call.on('error', (error) => reject(new CommandFailure(`The agent of this job does not answer: ${error.message}`)));
    call.on('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    call.end(payload);
  });
  const reply = JSON.parse(body) as Record<string, unknown>;
  if (status >= 200 && status < 300) return reply;
  throw new CommandFailure(String(reply['error'] ?? `The agent answered ${status}`));
}

/** Hides values from the log of this job from now on. */
export async function redactInLog(io: CommandIo, values: readonly string[]): Promise<void> {
  for (const value of values)
    if (value !== '') await callAgent(io, 'POST', '/api/current-job/v0/redactions', { redact: value });
}
