import { describe, expect, test } from 'vitest';
import { stateVariables } from '../../../src/console/pages/agents/agent-states';
import { changedFilters, isFiltered } from '../../../src/console/ui/filter-values';

interface Filters {
  search?: string | undefined;
  state?: string | undefined;
  archived?: boolean | undefined;
}

describe('the filters of a list in the address', () => {
  const before: Filters = { search: 'linux', state: 'busy' };

  test('a change keeps the filters that it does not name', () => {
    expect(changedFilters(before, { search: 'mac' })).toEqual({ search: 'mac', state: 'busy' });
  });

  test.each<[string, Partial<Filters>]>([
    ['an emptied text', { search: '' }],
    ['no text', { search: undefined }],
  ])('%s leaves the address', (_, change) => {
    expect(changedFilters(before, change).search).toBeUndefined();
  });

  test('a box that is not ticked leaves the address', () => {
    expect(changedFilters<Filters>({ archived: true }, { archived: false }).archived).toBeUndefined();
  });

  test('a list is filtered by any filter that has a value', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ search: undefined, archived: false })).toBe(false);
    expect(isFiltered({ search: undefined, archived: true })).toBe(true);
  });

  test.each([
    [undefined, { busy: null, paused: null }],
    ['busy', { busy: true, paused: null }],
    ['idle', { busy: false, paused: false }],
    ['paused', { busy: null, paused: true }],
    ['constructor', { busy: null, paused: null }],
  ])('agents in the state %s are read with %j', (state, variables) => {
    expect(stateVariables(state)).toEqual(variables);
  });
});
