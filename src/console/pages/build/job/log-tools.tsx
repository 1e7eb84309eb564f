import { useRef } from 'react';
import { useShortcuts } from '../../../layout/shortcuts';
import { texts } from '../../../texts/texts';
import { CopyButton } from '../../../ui/copy-button';
import { Icon } from '../../../ui/icon';
import type { LogSource } from './log-source';
import type { LogSearch } from './use-log-search';
import './log.css';

interface Props {
  job: string;
  log: LogSource;
  search: LogSearch;
  showTime: boolean;
  setShowTime: (show: boolean) => void;
  lineCount: number;
  copied: () => Promise<string>;
}

/** Search, times, copy and download of a log. */
export function LogTools({ job, log, search, showTime, setShowTime, lineCount, copied }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: '/', text: texts.log.search, run: () => field.current?.focus() },
    { keys: 't', text: texts.log.times, run: () => setShowTime(!showTime) },
  ]);
  const download = async () => {
    const address = URL.createObjectURL(await log.raw());
    const link = document.createElement('a');
    link.href = address;
    link.download = `${job}.log`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="log-tools">
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={texts.log.search}
        placeholder={texts.log.search}
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1);
        }}
      />
      {search.text !== '' && (
        <>
          <span className="muted tabular" role="status">
            {search.state === 'done'
              ? texts.log.matches(search.at + 1, search.matches.length)
              : texts.log[search.state]}
          </span>
          <button
            type="button"
            className="button button-icon"
            aria-label={texts.log.previousMatch}
            onClick={() => search.move(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="button button-icon"
            aria-label={texts.log.nextMatch}
            onClick={() => search.move(1)}
          >
            ↓
          </button>
        </>
      )}
      <span className="grow" />
      <span className="muted tabular">{texts.log.lines(lineCount)}</span>
      <button type="button" className="button" aria-pressed={showTime} onClick={() => setShowTime(!showTime)}>
        <Icon name="clock" />
        {texts.log.times}
      </button>
      <CopyButton text={copied} label={texts.log.copy} />
      <button type="button" className="button" onClick={() => void download()}>
        <Icon name="download" />
        {texts.log.download}
      </button>
    </div>
  );
}
