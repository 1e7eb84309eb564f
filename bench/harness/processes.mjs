// What the kernel counts of processes: CPU and memory (Linux).
import { readdirSync, readFileSync } from 'node:fs';

const fieldsOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    // It has ended since.
    return null;
  }
};

/** CPU time of a process so far in milliseconds, in steps of 10; on a busy machine steadier than the clock. */
export function cpuOf(pid, { withEndedChildren = false } = {}) {
  const fields = fieldsOf(pid);
  if (!fields) return 0;
  const ticks = [11, 12, ...(withEndedChildren ? [13, 14] : [])];
  return ticks.reduce((sum, index) => sum + Number(fields[index]), 0) * 10;
}

/** All processes with their parents. */
export function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(fieldsOf(name)?.[1]) }));
}

/** Resident memory of a process in MB. */
export function residentMegabytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}
