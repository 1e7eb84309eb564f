// A process of its own: asks the server's /healthz every 20 ms, whether or not it has answered before. The parent process
// sends any message and gets the figures since its last one, once every reply has come.
//
// Its connections are kept, as those of a proxy are: Node accepts one new connection in each turn of its event loop, so that a
// connection for each question would measure how many turns there are, not how long one waits.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

const url = process.argv[2];
let replies = [];

const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
/** Questions that may be under way at once on connections that are open beforehand. */
const connectionsAtOnce = 32;

function ask() {
  const start = performance.now();
  replies.push(
    new Promise((resolve) => {
      const end = (status) => resolve({ ms: performance.now() - start, status });
      request(`${url}/healthz`, { agent }, (reply) => reply.resume().on('end', () => end(reply.statusCode)))
        .on('error', () => end(0))
        .end();
    }),
  );
}

for (let count = 0; count < connectionsAtOnce; count += 1) ask();
await Promise.all(replies);
replies = [];
setInterval(ask, 20);
process.on('message', async () => {
  const asked = replies;
  replies = [];
  const answers = await Promise.all(asked);
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  process.send({
    asked: times.length,
    not_200: answers.filter(({ status }) => status !== 200).length,
    p99_ms: Math.round(times[Math.floor(times.length * 0.99)] ?? 0),
    slowest_ms: Math.round(times.at(-1) ?? 0),
  });
});
process.on('disconnect', () => process.exit());
