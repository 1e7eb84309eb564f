export interface ArtifactFile {
  readonly id: string;
  readonly uuid: string;
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
  readonly state: string;
  readonly downloadURL: string;
  readonly reportURL: string | null | undefined;
}

export interface ArtifactFolder {
  folders: Map<string, ArtifactFolder>;
  files: ArtifactFile[];
}

/** Files by the folders of their paths. */
export function artifactTree(files: readonly ArtifactFile[]): ArtifactFolder {
  const root: ArtifactFolder = { folders: new Map(), files: [] };
  for (const file of files) {
    let at = root;
    for (const name of file.path.split('/').slice(0, -1).filter(Boolean)) {
      const inner = at.folders.get(name) ?? { folders: new Map(), files: [] };
      at.folders.set(name, inner);
      at = inner;
    }
    at.files.push(file);
  }
  return root;
}

/**
 * Address of a report: a path where reports are on the host of everything else, whatever the browser calls it; else as
 * it is.
 */
export function reportAddress({
  reportURL,
  downloadURL,
}: Pick<ArtifactFile, 'reportURL' | 'downloadURL'>): string | null {
  if (!reportURL) return null;
  const [report, file] = [new URL(reportURL), new URL(downloadURL)];
  return report.origin === file.origin ? report.pathname : reportURL;
}

/** Addresses of this server as paths; those of an object storage as they are. */
export function sameOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.startsWith('/files/') ? pathname + search : url;
}
