/** Paths on a grid of 16 by 16, stroked unless they are named in `filled`. */
const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.500 10.500 14 14',
  chevron: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  plus: 'M8 3v10M3 8h10',
  star: 'M8 1.800l1.900 3.900 4.300.6-3.100 3 .7 4.300L8 11.600l-3.800 2 .7-4.300-3.100-3 4.300-.6z',
  check: 'M3.500 8.500l3 3 6-7',
  cross: 'M4.500 4.500l7 7M11.500 4.500l-7 7',
  play: 'M5.500 3.500v9l7-4.500z',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  stop: 'M4.500 4.500h7v7h-7z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.800V8l2.200 1.400',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  branch:
    'M4.500 4.500v7M4.500 4.500a1.500 1.500 0 1 0 0-.01M4.500 11.500a1.500 1.500 0 1 0 0 .01M11.500 5a1.500 ' +
    '1.500 0 1 0 0-.01M11.500 5.500c0 3-7 2-7 5',
  commit: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM1.500 8h4M10.500 8h4',
  person:
    'M8 8a2.800 2.800 0 1 0 0-5.600A2.800 2.800 0 0 0 8 8ZM2.800 14c.4-2.800 2.500-4.200 5.200-4.200s4.800 ' +
    '1.400 5.200 4.200',
  retry: 'M13 8a5 5 0 1 1-1.500-3.600M13 2.500v3h-3',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  download: 'M8 2.500v7.500M4.500 7 8 10.500 11.500 7M3 13.500h10',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  agent: 'M3 4.500h10v7H3zM6 14h4M5.500 7.500l1.500 1-1.500 1M8.500 9.500h2',
  group: 'M2.500 3.500h11v4h-11zM4.500 10h9M4.500 12.500h9',
  wait: 'M2.500 8h11M5 4.500v7M11 4.500v7',
  trigger: 'M3 13V6a2 2 0 0 1 2-2h7M9.500 1.500 12 4 9.500 6.500',
  bolt: 'M9 1.500 3.500 9H8l-1 5.500L12.500 7H8z',
  sun:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.500v1M8 13.500v1M1.500 8h1M13.500 8h1M3.400 3.400l.7.7M11.900 ' +
    '11.900l.7.7M3.400 12.600l.7-.7M11.900 4.100l.7-.7',
  menu: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  skip: 'M3.500 4v8l5-4zM10.500 4v8',
  minus: 'M3.500 8h9',
  file: 'M4 1.500h5l3.500 3.500v9.500H4zM9 1.500V5h3.500',
  folder: 'M1.500 4h5l1.500 2h6.500v7.500h-13z',
  gear:
    'M8 10.200A2.200 2.200 0 1 0 8 5.800a2.200 2.200 0 0 0 0 4.400ZM8 1.500v2M8 12.500v2M1.500 8h2M12.500 ' +
    '8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400',
  link:
    'M6.500 9.500l3-3M7 5l1.500-1.500a2.500 2.500 0 0 1 4 3.500L11 8.500M9 11l-1.500 1.500a2.500 2.500 0 0 ' +
    '1-4-3.500L5 7.500',
} as const;

export type IconName = keyof typeof paths;

/** Decorative icon beside text; hidden from screen readers. */
export function Icon({ name, filled = false, size = 16 }: { name: IconName; filled?: boolean; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.4 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
