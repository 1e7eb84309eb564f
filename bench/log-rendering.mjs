// Rendering of a log as HTML beside plain gunzip of the same bytes in the same run: node bench/log-rendering.mjs
// (after a build). The ratio, not the MB/s, is comparable between machines.
import { gunzipSync, gzipSync } from 'node:zlib';
import { LogRenderer } from '../dist/domain/builds/logs/terminal/log-renderer.js';

const megabytes = 32;
const line = (i) =>
  `\u001b_bk;t=${1700000000000 + i * 7}\u0007${i % 50 ? `\u001b[32mok\u001b[0m ${i} src/module-${i % 97}/file.ts (${i % 13} ms)` : `--- Step ${i}`}\r\n`;
const block = Buffer.from(Array.from({ length: 1200 }, (_, i) => line(i)).join(''));
const blocks = Math.ceil((megabytes * 1e6) / block.length);
const packed = gzipSync(block);

function rate(step) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < blocks; i++) step();
  return (blocks * block.length * 1000) / Number(process.hrtime.bigint() - start);
}

const results = Array.from({ length: 5 }, () => {
  const gunzip = rate(() => gunzipSync(packed));
  const renderer = new LogRenderer();
  const render = rate(() => renderer.push(block));
  return { gunzip, render, ratio: render / gunzip };
}).sort((a, b) => a.ratio - b.ratio);
const { gunzip, render, ratio } = results[2];
console.log(
  JSON.stringify({ render_mb_s: +render.toFixed(1), gunzip_mb_s: +gunzip.toFixed(1), ratio: +ratio.toFixed(3) }),
);
