// Bodies of 1 MiB that are dear to render, annotated and added to again and again.
import { call, callOk } from '../harness/load.mjs';
import { builds } from './measure.mjs';

const name = 'annotation-markdown';

async function attack({ url, tally }, signal) {
  const { number } = await callOk(builds(url), {
    method: 'POST',
    body: { commit: 'HEAD', branch: 'main', message: 'x' },
  });
  const annotations = `${builds(url)}/${number}/annotations`;
  for (let index = 0; !signal.aborted; index += 1) {
    tally(
      (
        await call(annotations, {
          method: 'POST',
          body: { context: `a${index}`, body: '- a\n'.repeat(256 * 1024 - 8) },
        })
      ).status,
    );
    tally(
      (await call(annotations, { method: 'POST', body: { context: `a${index}`, body: '!', append: true } })).status,
    );
    tally(
      (
        await call(annotations, {
          method: 'POST',
          body: { context: `t${index}`, body: `${'|a'.repeat(256)}\n${'|-'.repeat(256)}\n${'|\n'.repeat(512)}` },
        })
      ).status,
    );
  }
}

export const attacks = [{ name, attack }];
