import { call, type GraphqlReply, organization, read, root } from './slipway.js';

/** Messages of a subscription, until the server or the reader ends it. */
async function* subscribe<T>(query: string): AsyncGenerator<T> {
  const headers = { Accept: 'text/event-stream' };
  const reply = await call(root.replace(/v2$/, 'graphql'), { method: 'POST', body: { query }, headers });
  let text = '';
  for await (const bytes of reply.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (text + bytes).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { data, errors } = JSON.parse(line.slice(6)) as GraphqlReply<T>;
      if (errors) throw new Error(errors[0]!.extensions.code);
      yield data!;
    }
  }
}

const body = { commit: 'HEAD', branch: 'main' };
const started = await call(`${organization}/pipelines/guide/builds`, { method: 'POST', body });
const { id, jobs } = await read<{ id: string; jobs: { id: string }[] }>(started);

// The log ends with its job.
const log = `subscription { jobLog(id: "${jobs[0]!.id}") { content cursor } }`;
let printed = '';
for await (const { jobLog } of subscribe<{ jobLog: { content: string } }>(log)) printed += jobLog.content;
if (printed.includes('hello')) console.log('hello');
// The stream of a build stays open: the reader leaves it when the build has finished.
const states = `subscription { build(id: "${id}") { cursor event { type } build { state } } }`;
for await (const { build } of subscribe<{ build: { build: { state: string } } }>(states)) {
  if (build.build.state !== 'PASSED') continue;
  console.log(build.build.state);
  break;
}
