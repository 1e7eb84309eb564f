// graphile-worker with a full queue: each request lets one job end and answers when it has.
import { createServer } from 'node:http';
import { Logger, run } from 'graphile-worker';
import pg from 'pg';

const connectionString = process.env.OTHER_DATABASE_URL;
const permits = [];
const waiting = [];
/** Hands the next request to the next job that is running, whichever comes first. */
function meet() {
  while (permits.length > 0 && waiting.length > 0) waiting.shift()(permits.shift());
}

const runner = await run({
  connectionString,
  concurrency: 50,
  maxPoolSize: 10,
  pollInterval: 100,
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: {
    async work() {
      const answer = await new Promise((resolve) => {
        waiting.push(resolve);
        meet();
      });
      answer();
    },
  },
});
const client = new pg.Client({ connectionString });
await client.connect();
await client.query(`select graphile_worker.add_job('work', '{}') from generate_series(1, 20000)`);
await client.end();

const server = createServer((asked, response) => {
  asked.resume().on('end', () => {
    permits.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    meet();
  });
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
process.once('SIGTERM', () => {
  setTimeout(() => process.exit(0), 2000).unref();
  void runner.stop().finally(() => process.exit(0));
});
