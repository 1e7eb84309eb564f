// YAML of many tokens, keys and aliases, sent as a pipeline's steps.
import { call } from '../harness/load.mjs';
import { pipelines } from './measure.mjs';

const name = 'pipeline-yaml';

async function attack({ url, tally }, signal) {
  const texts = [
    `steps: [${'a,'.repeat(99_000)}]`,
    `steps: []\n${Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join('\n')}`,
    `steps: []\na: &a x\nb: [${'*a ,'.repeat(9_000)}]`,
    `steps:\n${'- command: a\n'.repeat(30_000)}`,
  ];
  for (let index = 0; !signal.aborted; index += 1)
    tally(
      (await call(`${pipelines(url)}/app`, { method: 'PATCH', body: { configuration: texts[index % texts.length] } }))
        .status,
    );
}

export const attacks = [{ name, attack }];
