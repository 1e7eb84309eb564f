// Text like that of logs of builds, of which no two are alike.

const templates = [
  (n) => `[${n.time}] INFO  com.example.${n.word}.${n.other} - request ${n.hex} took ${n.small} ms`,
  (n) => `  Compiling ${n.word}-${n.other} v${n.small % 9}.${n.digit}.${n.small % 40}`,
  (n) => `npm warn deprecated ${n.word}@${n.digit}.${n.small % 30}.${n.small % 7}: use ${n.other} instead`,
  (n) => `PASS  test/${n.word}/${n.other}.test.ts (${n.small}.${n.digit} s)`,
  (n) => `Downloading https://registry.example.com/${n.word}/-/${n.other}-${n.digit}.${n.small}.tgz (${n.big} bytes)`,
  (n) => `\u001b[32m✓\u001b[0m ${n.word} handles ${n.other} when ${n.word} is ${n.small} (${n.digit} ms)`,
  (n) => `sha256:${n.hex}${n.hex2} ${n.word}/${n.other}.o`,
  (n) => `layer ${n.hex}: ${n.small % 100} %\rlayer ${n.hex}: Pull complete`,
  (n) => `gcc -O2 -Wall -I./include/${n.word} -c src/${n.other}_${n.small}.c -o build/${n.other}_${n.small}.o`,
  (n) => `ok ${n.big} - ${n.word} ${n.other} # duration_ms ${n.small}.${n.digit}${n.digit}`,
  (n) => `${n.time} worker-${n.digit} | DEBUG ${n.word}: cache miss for key ${n.hex}, loading ${n.other}`,
  (n) => `remote: Counting objects: ${n.small % 100}% (${n.small}/${n.big}), done.`,
];

const syllables = 'al be cor da en fi gor hi in jo ka lum ma nor or pe qui ra sol ta ur ven wi xa yo zen'.split(' ');

/** Numbers that follow from a seed (xorshift). */
function random(seed) {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** The text of log number `log`, of about so many bytes, which has each of the texts in one of its lines. */
export function linesOfLog(log, bytes, texts) {
  const next = random(log);
  const words = Array.from({ length: 120 }, () =>
    Array.from({ length: 2 + (next() % 3) }, () => syllables[next() % syllables.length]).join(''),
  );
  const lines = [];
  let time = 1_760_000_000_000 + log * 600_000;
  for (let length = 0; length < bytes;) {
    time += next() % 200;
    const number = next();
    const facts = {
      time: new Date(time).toISOString(),
      word: words[number % 120],
      other: words[(number >>> 8) % 120],
      hex: next().toString(16),
      hex2: next().toString(16),
      small: (number >>> 4) % 1000,
      digit: number % 10,
      big: next() % 1_000_000,
    };
    const line = `\u001b_bk;t=${time}\u0007${templates[(number >>> 16) % templates.length](facts)}`;
    lines.push(line);
    length += line.length + 1;
  }
  for (const text of texts) lines[next() % lines.length] += ` ${text}`;
  return `${lines.join('\n')}\n`;
}
