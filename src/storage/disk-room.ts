import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Room of a disk: `short` below the reserve, `filling` below twice the reserve. */
export interface Room {
  freeBytes: number;
  state: RoomState;
}

export const roomStates = ['ample', 'filling', 'short'] as const;
export type RoomState = (typeof roomStates)[number];

/** How long an answer of the file system counts, in milliseconds. */
const freshMs = 1_000;

/**
 * Free bytes of the disk of a storage, looked at once a second at most. A storage that fills its disk to the last byte
 * would end the embedded database, and whatever else has it; so new bytes are refused while there is some room left.
 */
export class DiskRoom {
  private looking: Promise<Room | null> | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private state: Room['state'] = 'ample';

  /**
   * @param reserveBytes `DISK_RESERVE`
   * @param changed called when the state is another one than before
   * @param freeBytesOf asks the file system
   */
  constructor(
    private readonly directory: string,
    readonly reserveBytes: number,
    private readonly changed: (room: Room) => void,
    private readonly freeBytesOf = freeBytesOfDisk,
  ) {}

  /** The room that there is; null where the file system does not say, which refuses nothing. */
  look(): Promise<Room | null> {
    if (this.looking === null || performance.now() - this.lookedAt > freshMs) {
      this.lookedAt = performance.now();
      this.looking = this.ask().catch(() => null);
    }
    return this.looking;
  }

  /** Whether so many more bytes leave the reserve free. */
  async has(bytes: number): Promise<boolean> {
    const room = await this.look();
    return room === null || room.freeBytes - bytes >= this.reserveBytes;
  }

  private async ask(): Promise<Room> {
    const freeBytes = await this.freeBytesOf(this.directory);
    const room: Room = { freeBytes, state: this.stateOf(freeBytes) };
    if (room.state !== this.state) this.changed(room);
    this.state = room.state;
    return room;
  }

  private stateOf(freeBytes: number): Room['state'] {
    if (freeBytes < this.reserveBytes) return 'short';
    return freeBytes < 2 * this.reserveBytes ? 'filling' : 'ample';
  }
}

/** Free bytes for this user on the disk of a directory, which need not be there yet. */
async function freeBytesOfDisk(directory: string): Promise<number> {
  for (let place = resolve(directory); ; place = dirname(place)) {
    try {
      const { bavail, bsize } = await statfs(place);
      return bavail * bsize;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(place) === place) throw error;
    }
  }
}
