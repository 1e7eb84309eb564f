import {
  actionOfType,
  mayTrigger,
  ruleActions,
  ruleTypes,
  typeOfAction,
} from '../../../src/domain/agents/organization-rules.js';

describe('organization rules', () => {
  test.each([
    [{ rule: false, fromCluster: 'a', toCluster: 'a', permitted: true }, 'yes'],
    [{ rule: false, fromCluster: 'a', toCluster: 'b', permitted: true }, 'other_cluster'],
    [{ rule: true, fromCluster: 'a', toCluster: 'b', permitted: true }, 'yes'],
    [{ rule: true, fromCluster: 'a', toCluster: 'b', permitted: false }, 'yes'],
    [{ rule: false, fromCluster: 'a', toCluster: 'b', permitted: false }, 'no'],
    [{ rule: false, fromCluster: 'a', toCluster: 'a', permitted: false }, 'no'],
    [{ rule: false, fromCluster: null, toCluster: 'b', permitted: true }, 'yes'],
    [{ rule: false, fromCluster: 'a', toCluster: null, permitted: true }, 'yes'],
    [{ rule: false, fromCluster: null, toCluster: null, permitted: true }, 'yes'],
  ] as const)('whether a build may trigger another pipeline for %j is answered %s', (triggering, expected) => {
    expect(mayTrigger(triggering)).toBe(expected);
  });

  test('rule types and rule actions map to each other', () => {
    expect(ruleActions.map(typeOfAction)).toEqual(ruleTypes);
    expect(ruleTypes.map(actionOfType)).toEqual([...ruleActions]);
    expect(actionOfType('pipeline.delete.pipeline')).toBeNull();
  });
});
