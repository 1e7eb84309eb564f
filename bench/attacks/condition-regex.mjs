// Regular expressions that are large for the text they search, in a step of a pipeline whose builds are created.
import { call, callOk } from '../harness/load.mjs';
import { pipelines } from './measure.mjs';

const name = 'condition-regex';

async function attack({ url, tally }, signal) {
  const expression = String.raw`build.message =~ /\b(?:a[ab]{500}|b[ab]{499})zy?\b/`;
  const steps = Array.from({ length: 100 }, () => `- command: a\n  if: '${expression}'\n`).join('');
  // A pipeline of its own: other attacks make builds of `app`, which these conditions would refuse.
  const body = {
    name: `Conditions ${Date.now()}`,
    repository: 'git@example.com:a/b.git',
    configuration: `steps:\n${steps}`,
  };
  const { slug } = await callOk(pipelines(url), { method: 'POST', body });
  let state = 1;
  const letters = Array.from(
    { length: 6_000 },
    () => 'ab'[((state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16) & 1],
  ).join('');
  while (!signal.aborted)
    tally(
      (
        await call(`${pipelines(url)}/${slug}/builds`, {
          method: 'POST',
          body: { commit: 'HEAD', branch: 'main', message: `${letters}z` },
        })
      ).status,
    );
}

export const attacks = [{ name, attack }];
