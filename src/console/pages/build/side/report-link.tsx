import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { type ArtifactFile, reportAddress } from './artifact-tree';
import './artifacts.css';

/** Opens a page of a report beside the console; nothing for other files. */
export function ReportLink({ file }: { file: Pick<ArtifactFile, 'path' | 'downloadURL' | 'reportURL'> }) {
  const address = reportAddress(file);
  if (address === null) return null;
  return (
    <a className="button button-plain" href={address} target="_blank" rel="noopener noreferrer">
      <Icon name="link" />
      <span className="report-text">{texts.build.openReport}</span>
      <span className="visually-hidden"> {file.path}</span>
    </a>
  );
}
