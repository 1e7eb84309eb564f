import { texts } from '../../../texts/texts';
import { Icon } from '../../../ui/icon';
import { artifactPath } from '../side/artifact-address';
import { useArtifactLinks } from '../side/artifact-links';
import { LogImage } from './log-image';
import { type LogSpan, parseLine } from './log-parts';
import './log.css';

interface Props {
  job: string;
  number: number;
  raw: string | null;
  top: number;
  row: number;
  fold: { open: boolean; toggle: () => void } | null;
  /** The time of the line as it is shown; null where times are not. */
  timeText: ((time: number | null) => string) | null;
  wrapped: boolean;
  mark: '' | 'is-selected' | 'is-match' | 'is-match-current';
  choose: (number: number, extend: boolean) => void;
  href: string;
  /** Takes the height of a row whose images or wrapped text decide it. */
  measure: (row: HTMLElement | null) => void;
}

/** One line of a log. Its number is a link to it; with Shift to the range from the line chosen before. */
export function LogRow(props: Props) {
  const { job, number, raw, top, fold, timeText, wrapped, mark, choose, href, measure, row } = props;
  const { spans, time } = parseLine(raw ?? '');
  // `^^^ +++` opens the group before it and has no text of its own.
  const opensGroup = spans.length === 1 && spans[0]?.text.startsWith('^^^ +++');
  const hasImage = spans.some(({ image }) => image);
  return (
    <div
      className={`log-row ${mark} ${hasImage ? 'log-row-image' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      data-index={row}
      ref={hasImage || wrapped ? measure : undefined}
    >
      <a
        className="log-number"
        href={href}
        aria-label={texts.log.line(number + 1)}
        onClick={(event) => {
          event.preventDefault();
          choose(number, event.shiftKey);
        }}
      >
        {number + 1}
      </a>
      {timeText && <span className="log-time">{timeText(time)}</span>}
      {fold ? (
        <button
          type="button"
          className="log-fold"
          aria-expanded={fold.open}
          aria-label={fold.open ? texts.log.closeGroup : texts.log.openGroup}
          onClick={fold.toggle}
        >
          <Icon name="chevron" size={12} />
        </button>
      ) : (
        <span className="log-fold" />
      )}
      <span className={fold ? 'log-text log-header' : 'log-text'}>
        {(opensGroup ? [] : spans).map((span, index) => (
          <Span key={index} span={span} job={job} isHeader={index === 0 && fold !== null} />
        ))}
      </span>
    </div>
  );
}

function Span({ span, job, isHeader }: { span: LogSpan; job: string; isHeader: boolean }) {
  if (span.image) return <LogImage image={span.image} job={job} />;
  const artifact = artifactPath(span.href ?? '');
  if (artifact !== null) return <ArtifactLink span={span} path={artifact} job={job} />;
  if (span.href) {
    return (
      <a className={span.className} style={span.colors} href={span.href} target="_blank" rel="noreferrer">
        {span.text}
      </a>
    );
  }
  const text = isHeader ? span.text.replace(/^(---|\+\+\+|~~~) /, '') : span.text;
  return (
    <span className={span.className || undefined} style={span.colors}>
      {text}
    </span>
  );
}

/** A button, because the address of the file is asked for when it is wanted. */
function ArtifactLink({ span, path, job }: { span: LogSpan; path: string; job: string }) {
  const open = useArtifactLinks({ job });
  return (
    <button type="button" className={`log-link ${span.className}`} style={span.colors} onClick={() => open(path)}>
      {span.text}
    </button>
  );
}
