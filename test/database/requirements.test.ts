import {
  filesOfDatabase,
  openFilesLimit,
  RequirementError,
  requireSpace,
  spaceErrorOf,
} from '../../src/database/embedded/requirements.js';
import { testUnless } from '../support/skips.js';

describe('what the embedded database needs to start', () => {
  test.each([
    [160, 64],
    [256, 96],
    [1024, 480],
    [65_536, 1000],
    [null, 1000],
  ])('of at most %s open files the database keeps %i, so that connections have the rest', (limit, files) => {
    expect(filesOfDatabase(limit)).toBe(files);
  });

  test('too few files are refused with the limit and where to raise it', () => {
    expect(() => filesOfDatabase(159)).toThrow(RequirementError);
    expect(() => filesOfDatabase(159)).toThrow(
      'this process may open 159 files at a time, and the embedded database needs 160: raise the limit (ulimit -n, ',
    );
  });

  testUnless(process.platform === 'linux' ? null : 'only Linux tells it', 'the limit of this process is known', () => {
    expect(openFilesLimit()).toBeGreaterThan(0);
  });

  test('a disk with space is taken, and one of which the system says that it is full is named', async () => {
    await requireSpace('/tmp', { isNew: false });
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(spaceErrorOf('/data', full)).toEqual(
      new RequirementError(
        'the disk of /data has 0 MiB of free space, and the embedded database needs 32 MiB to start: make space, or set DATA_DIR to a directory on another disk',
      ),
    );
    const other = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    expect(spaceErrorOf('/data', other)).toBe(other);
  });
});
