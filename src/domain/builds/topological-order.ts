/**
 * Orders nodes so that each follows all it depends on (Kahn's algorithm, linear). Where only cycles are left, it finds
 * one, reports its nodes that `mayBreak` accepts in `cyclic`, and continues with one of them.
 * @param dependencies the nodes each node depends on, by index
 */
export function sortTopologically(
  dependencies: readonly (readonly number[])[],
  mayBreak: (node: number) => boolean,
): { order: number[]; cyclic: number[] } {
  const open = dependencies.map((list) => list.length);
  const dependents: number[][] = dependencies.map(() => []);
  dependencies.forEach((list, node) => {
    for (const dependency of list) dependents[dependency]?.push(node);
  });
  const done = new Array<boolean>(dependencies.length).fill(false);
  const order: number[] = [];
  const cyclic: number[] = [];
  let next = 0;

  const take = (node: number): void => {
    if (done[node] === true) return;
    done[node] = true;
    order.push(node);
  };
  const drain = (): void => {
    for (; next < order.length; next++) {
      for (const dependent of dependents[order[next] ?? -1] ?? []) {
        const left = (open[dependent] ?? 0) - 1;
        open[dependent] = left;
        if (left === 0) take(dependent);
      }
    }
  };

  open.forEach((count, node) => {
    if (count === 0) take(node);
  });
  drain();
  for (let node = 0; node < dependencies.length; node++) {
    while (done[node] !== true) {
      const cycle = findCycle(dependencies, done, node);
      const members = cycle.filter(mayBreak);
      cyclic.push(...members);
      take(members[0] ?? cycle[0] ?? node);
      drain();
    }
  }
  return { order, cyclic };
}

/**
 * Walks from an unordered node along unordered dependencies until a node repeats; each unordered node has such a
 * dependency.
 */
function findCycle(dependencies: readonly (readonly number[])[], done: readonly boolean[], start: number): number[] {
  const path: number[] = [];
  const position = new Map<number, number>();
  let current = start;
  while (!position.has(current)) {
    position.set(current, path.push(current) - 1);
    const ahead = dependencies[current]?.find((dependency) => done[dependency] !== true);
    if (ahead === undefined) return path;
    current = ahead;
  }
  return path.slice(position.get(current));
}
