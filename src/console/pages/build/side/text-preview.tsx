import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../../../texts/texts';
import { sizeText } from '../../../ui/size-text';
import { useLinesOfAddress } from '../lines-of-address';
import { artifactHash } from './artifact-address';
import './artifacts.css';

/** Bytes of a text that are read; the rest is in its download. */
const shownBytes = 1024 * 1024;
const rowHeight = 24;

interface Props {
  uuid: string;
  path: string;
  size: number;
  url: string;
}

/** The beginning of a text, by its lines: their numbers are links to them, as in a log. */
export function TextPreview(props: Props) {
  const { url, size } = props;
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    linesAt(url, stop.signal).then(setLines, () => {
      if (!stop.signal.aborted) setFailed(true);
    });
    return () => stop.abort();
  }, [url]);
  if (failed) return <p className="card-body muted">{texts.errors.failedTitle}</p>;
  if (!lines) return <p className="card-body muted">{texts.common.loading}</p>;
  return (
    <>
      {size > shownBytes && <p className="card-body text-cut">{texts.build.firstPart(sizeText(size))}</p>}
      <Lines {...props} lines={lines} />
    </>
  );
}

async function linesAt(url: string, signal: AbortSignal): Promise<string[]> {
  const response = await fetch(url, { signal, headers: { Range: `bytes=0-${shownBytes - 1}` } });
  if (!response.ok) throw new Error(response.statusText);
  // A character that the end cuts in two is left out.
  const text = new TextDecoder().decode(await response.arrayBuffer(), { stream: true });
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function Lines({ uuid, path, lines }: Props & { lines: readonly string[] }) {
  const navigate = useNavigate({ from: '/$organization/$pipeline/builds/$number' });
  const { chosen, addressOf } = useLinesOfAddress(artifactHash(uuid));
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const named = chosen?.[0] ?? null;
  useEffect(() => {
    frame.current?.scrollIntoView({ block: 'nearest' });
    if (named === null) return;
    // What a person has just chosen is in view.
    const { range } = rows;
    if (range && named > range.startIndex && named < range.endIndex) return;
    rows.scrollToIndex(Math.min(named, lines.length - 1), { align: 'center' });
  }, [lines, named, rows]);
  /** The address is that of the artifacts of the build, in which everybody finds the file. */
  const choose = (line: number, extend: boolean) =>
    void navigate({
      search: (before) => ({ ...before, tab: 'artifacts' }),
      hash: addressOf(line, extend),
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  const isChosen = (line: number) => chosen !== null && line >= chosen[0] && line <= chosen[1];
  return (
    <div ref={frame} className="text-frame" tabIndex={0} role="region" aria-label={texts.build.linesOf(path)}>
      <div className="text-lines" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={rows.measureElement}
            data-index={index}
            className={isChosen(index) ? 'text-line is-selected' : 'text-line'}
            style={{ transform: `translateY(${start}px)` }}
          >
            <a
              className="text-number"
              href={`?tab=artifacts#${addressOf(index)}`}
              aria-label={texts.log.line(index + 1)}
              onClick={(event) => {
                event.preventDefault();
                choose(index, event.shiftKey);
              }}
            >
              {index + 1}
            </a>
            <span className="text-of-line">{lines[index]}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
