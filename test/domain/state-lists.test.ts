import { readdirSync, readFileSync } from 'node:fs';
import { agentStates } from '../../src/domain/agents/agent-state.js';
import { buildStates } from '../../src/domain/builds/build-state.js';
import { jobStates } from '../../src/domain/builds/job-state.js';

const words = new Set<string>([...agentStates, ...buildStates, ...jobStates]);

/**
 * `domain` is where lists of states are declared; migrations never change; the bundled agent imports nothing of the
 * server; the OpenAPI document lists the words of /v2, which are not the stored states.
 */
const mayList = /^(domain|migrations|agent|rest\/openapi)\//;

/** Lists of three or more states in a source text, as TypeScript arrays or as SQL lists. */
function stateLists(text: string): string[] {
  return [...text.matchAll(/[[(]\s*((?:'\w+',\s*){2,}'\w+'),?\s*[\])]/g)]
    .map(([, list]) => [...list!.matchAll(/'(\w+)'/g)].map(([, word]) => word!))
    .filter((list) => list.every((word) => words.has(word)))
    .map((list) => list.join(', '));
}

describe('lists of states in src', () => {
  test('a list of three or more states appears in src/domain only, where it has a name', () => {
    const files = (readdirSync('src', { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
    const repeated = files
      .filter((file) => !mayList.test(file))
      .flatMap((file) => stateLists(readFileSync(`src/${file}`, 'utf8')).map((list) => `${file}: ${list}`));
    expect(repeated).toEqual([]);
  });

  test('the search finds lists in arrays and in SQL, on one line and on several', () => {
    expect(stateLists(`where state in ('scheduled', 'running', 'failing')`)).toEqual(['scheduled, running, failing']);
    expect(stateLists(`[\n  'assigned',\n  'accepted',\n  'running',\n]`)).toEqual(['assigned, accepted, running']);
    expect(stateLists(`['assigned', 'accepted'], ['created', 'assigned', 'pipeline']`)).toEqual([]);
  });
});
