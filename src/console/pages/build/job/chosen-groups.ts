import { useState } from 'react';

/** Groups of one log that are remembered; of more the newest. */
const most = 200;

/**
 * Which groups of a log a person has opened and closed, by the line of their header: kept for the tab, so that a reload
 * or a look at another job finds the log as it was left.
 */
export function useChosenGroups(job: string): [ReadonlyMap<number, boolean>, (line: number, open: boolean) => void] {
  const name = `log-groups:${job}`;
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(() => stored(name));
  const choose = (line: number, open: boolean) =>
    setChosen((before) => {
      const after = new Map([...before].filter(([each]) => each !== line).slice(1 - most)).set(line, open);
      sessionStorage.setItem(name, JSON.stringify([...after]));
      return after;
    });
  return [chosen, choose];
}

function stored(name: string): ReadonlyMap<number, boolean> {
  try {
    const list = JSON.parse(sessionStorage.getItem(name) ?? '[]') as unknown;
    return new Map(Array.isArray(list) ? (list as [number, boolean][]) : []);
  } catch {
    return new Map();
  }
}
