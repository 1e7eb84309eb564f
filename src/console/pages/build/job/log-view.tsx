import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { texts } from '../../../texts/texts';
import { chooseLogTimes, chooseLogWrap, logTimesChosen, logWrapChosen } from '../../../layout/preferences';
import { Loading } from '../../../ui/placeholder';
import { showToast } from '../../../ui/toast';
import { mostSelected, useLinesOfAddress } from '../lines-of-address';
import { useChosenGroups } from './chosen-groups';
import { firstErrorOf } from './first-error';
import { Folds, foldsOf } from './log-folds';
import { parseLine } from './log-parts';
import { LogRow } from './log-row';
import { timeForms, timeOfLine } from './log-times';
import { LogTools } from './log-tools';
import { useLog } from './use-log';
import { useFrameHeight } from './use-frame-height';
import { useLogSearch } from './use-log-search';
import './log.css';

const rowHeight = 24;

/**
 * A log of any length: only the lines in view are read. Opens at the line of the address, else where the job failed.
 */
export function LogView(props: {
  job: string;
  jobId: string;
  name: string;
  /** When the job started, in milliseconds. */
  startedAt: number | null;
  running: boolean;
  failed: boolean;
}) {
  const { job, running, failed } = props;
  const { log, error, version } = useLog(job, running);
  const navigate = useNavigate();
  const { chosen: selection, addressOf } = useLinesOfAddress(job);
  const [chosen, choose] = useChosenGroups(job);
  const [times, setTimes] = useState(() => timeForms.find((form) => form === logTimesChosen()) ?? 'off');
  const [wrapped, setWrapped] = useState(logWrapChosen);
  const [following, setFollowing] = useState(running && !selection);
  const frame = useRef<HTMLDivElement>(null);
  const lineCount = log.lineCount;
  const groups = log.index?.groups;
  const noneIsOpen = useMemo(() => groups?.some(({ open }) => open) === false, [groups]);
  const folds = useMemo(
    () => new Folds(foldsOf(groups ?? [], lineCount, chosen, failed || running || noneIsOpen), lineCount),
    [chosen, failed, groups, lineCount, noneIsOpen, running],
  );
  const rows = useVirtualizer({
    count: folds.rows,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const search = useLogSearch(log);
  const [target, setTarget] = useState<number | null>(null);
  const reveal = (line: number) => {
    const fold = folds.folds[folds.indexOfLine(line)];
    if (fold && !fold.open && line > fold.first) choose(fold.first, true);
    setFollowing(false);
    setTarget(line);
  };
  useEffect(() => {
    if (target === null) return;
    // By the folds of now: the group of the line has been opened.
    rows.scrollToIndex(folds.rowOfLine(target), { align: 'center' });
    setTarget(null);
  }, [folds, rows, target]);

  useEffect(() => rows.measure(), [rows, wrapped]);
  const wrap = (isOn: boolean) => {
    const first = rows.range?.startIndex;
    setWrapped(isOn);
    chooseLogWrap(isOn);
    // The lines in view stay in view, whatever height those above them get.
    if (first !== undefined && !following) setTarget(folds.lineOfRow(first));
  };
  const toFirstError = async () => {
    const line = await firstErrorOf(props.jobId);
    if (line === null) showToast({ text: texts.log.noFirstError });
    else select(line, false);
  };

  const place = useRef({ top: 0, height: 0 });
  // Every way of scrolling comes by here: wheel, keys, scrollbar, touch. Following itself only ever goes down.
  const noteScroll = ({ scrollTop: top, scrollHeight: height, clientHeight }: HTMLElement) => {
    const before = place.current;
    place.current = { top, height };
    if (top < before.top - 1 && height >= before.height) setFollowing(false);
    else if (running && top > before.top && height - top - clientHeight < rowHeight / 2) setFollowing(true);
  };

  const ready = log.index !== null;
  useFrameHeight(frame, ready);
  const opened = useRef(false);
  useEffect(() => {
    if (!ready || opened.current) return;
    opened.current = true;
    if (selection) reveal(selection[0]);
    else if (failed || running) rows.scrollToIndex(folds.rows - 1, { align: 'end' });
  });
  const named = selection?.[0] ?? null;
  useEffect(() => {
    // A link to other lines of the log at hand; those that a person has just chosen in it are in view.
    if (!opened.current || named === null) return;
    const row = folds.rowOfLine(named);
    if (rows.range && row >= rows.range.startIndex && row <= rows.range.endIndex) return;
    reveal(named);
    frame.current?.scrollIntoView({ block: 'nearest' });
  }, [named]);
  useEffect(() => {
    if (following) rows.scrollToIndex(folds.rows - 1, { align: 'end' });
  }, [folds.rows, following, rows, version]);
  const current = search.current;
  useEffect(() => {
    if (current !== null) reveal(current);
  }, [current]);

  if (error) throw error;
  if (log.hasExpired) return <p className="card-body muted">{texts.log.expired}</p>;
  if (!ready) return <Loading rows={6} />;
  const select = (line: number, extend: boolean) => {
    void navigate({
      to: '.',
      search: (before) => before,
      hash: addressOf(line, extend),
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  const copied = async () => {
    const [first, last] = selection ?? [0, Math.min(lineCount, mostSelected) - 1];
    if (!selection && lineCount > mostSelected) showToast({ text: texts.log.copiedPart(mostSelected, lineCount) });
    const lines = await log.text(first, last + 1);
    return lines
      .map((line) =>
        parseLine(line)
          .spans.map(({ text }) => text)
          .join(''),
      )
      .join('\n');
  };
  const markOf = (line: number) => {
    if (line === current) return 'is-match-current';
    if (search.isMatch(line)) return 'is-match';
    return selection && line >= selection[0] && line <= selection[1] ? 'is-selected' : '';
  };
  return (
    <div className={wrapped ? 'log log-wrap' : 'log'}>
      <LogTools
        job={job}
        log={log}
        search={search}
        times={times}
        setTimes={(form) => {
          setTimes(form);
          chooseLogTimes(form);
        }}
        wrapped={wrapped}
        setWrapped={wrap}
        toFirstError={failed ? () => void toFirstError() : null}
        lineCount={lineCount}
        copied={copied}
      />
      <div className="log-frame">
        <div
          ref={frame}
          className="log-scroll"
          tabIndex={0}
          role="region"
          aria-label={texts.log.label(props.name)}
          onScroll={(event) => noteScroll(event.currentTarget)}
        >
          {lineCount === 0 && <p className="card-body muted">{running ? texts.log.empty : texts.log.deleted}</p>}
          <div className="log-rows" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => {
              const line = folds.lineOfRow(item.index);
              const fold = folds.folds[folds.indexOfLine(line)];
              return (
                <LogRow
                  key={line}
                  job={job}
                  row={item.index}
                  measure={rows.measureElement}
                  number={line}
                  raw={log.line(line)}
                  top={item.start}
                  timeText={times === 'off' ? null : (time) => timeOfLine(times, time, props.startedAt)}
                  wrapped={wrapped}
                  mark={markOf(line)}
                  choose={select}
                  href={`#${addressOf(line)}`}
                  fold={
                    fold?.first === line
                      ? {
                          open: fold.open,
                          toggle: () => choose(line, !fold.open),
                        }
                      : null
                  }
                />
              );
            })}
          </div>
        </div>
        <Ticks lines={search.matches} lineCount={lineCount} />
        {running && !following && (
          <div className="log-follow">
            <button type="button" className="button" onClick={() => setFollowing(true)}>
              {texts.log.follow}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Where the matches are, beside the scrollbar. */
function Ticks({ lines, lineCount }: { lines: readonly number[]; lineCount: number }) {
  if (lines.length === 0 || lineCount === 0) return null;
  const places = new Set(lines.map((line) => Math.round((line / lineCount) * 1000)));
  return (
    <svg className="log-ticks" viewBox="0 0 6 1000" preserveAspectRatio="none" aria-hidden="true">
      <path d={[...places].map((at) => `M3 ${at}v3`).join('')} />
    </svg>
  );
}
