/** Folders of a name that are kept as folders; those below are joined, so that no name has thousands of them. */
const mostFolders = 32;

/**
 * An artifact's path as the name of a file in an archive: relative, without `..`, with `/` between its parts, and
 * without characters that unpacking programs take for something else.
 */
export function safeArchiveName(path: string): string {
  const parts = path
    .toWellFormed()
    .replace(/\p{Cc}/gu, '_')
    .split(/[\\/]/)
    .map((part) => part.replaceAll(':', '_'))
    .filter((part) => !/^\.{0,2}$/.test(part));
  const folders =
    parts.length > mostFolders ? [...parts.slice(0, mostFolders), parts.slice(mostFolders).join('_')] : parts;
  return folders.join('/') || 'artifact';
}

/** The folder of a job in an archive, for its files whose names are taken. */
export function archiveFolderOf({ label, jobId }: { label: string | null; jobId: string }): string {
  const words = (label ?? '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${words || 'job'}-${jobId.slice(-12)}`;
}

/**
 * Names of the files of one archive, each once: also where letters of either case are the same, as on the disks of many
 * people, and where a file would have the name of a folder.
 */
export class ArchiveNames {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** The last number of each folder that was numbered, so that no number is tried again. */
  private readonly numbers = new Map<string, number>();

  /** The name of the next file: its path if that is free, else its path in a folder of its job, else in another one. */
  nameOf(path: string, folder: string): string {
    const plain = safeArchiveName(path);
    let name = this.isFree(plain) ? plain : `${folder}/${plain}`;
    while (!this.isFree(name)) {
      const number = (this.numbers.get(folder) ?? 1) + 1;
      this.numbers.set(folder, number);
      name = `${folder} (${number})/${plain}`;
    }
    this.take(name);
    return name;
  }

  private isFree(name: string): boolean {
    const key = keyOf(name);
    return !this.files.has(key) && !this.folders.has(key) && foldersOf(key).every((folder) => !this.files.has(folder));
  }

  private take(name: string): void {
    const key = keyOf(name);
    this.files.add(key);
    for (const folder of foldersOf(key)) this.folders.add(folder);
  }
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

function foldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Types that become smaller; all others are packed as they are. */
export function isCompressible(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    type.startsWith('text/') ||
    /^(application|image)\/([\w.-]+\+)?(json|xml|yaml|javascript|x-ndjson|sql|x-sh|x-tar)$/.test(type)
  );
}
