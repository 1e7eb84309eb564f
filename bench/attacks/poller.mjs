// A process of its own: asks the server's /healthz every 20 ms, whether or not it has answered before. The parent process
// sends any message and gets the figures since its last one, once every reply has come.
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';

const url = process.argv[2];
let replies = [];

function ask() {
  const start = performance.now();
  replies.push(
    new Promise((resolve) => {
      const end = (status) => resolve({ ms: performance.now() - start, status });
      request(`${url}/healthz`, { agent: false }, (reply) => reply.resume().on('end', () => end(reply.statusCode)))
        .on('error', () => end(0))
        .end();
    }),
  );
}

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
