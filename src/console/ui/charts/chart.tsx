import { line, stack } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import {
  highestOf,
  labeledPlaces,
  margin,
  placeAfter,
  placeAt,
  type Scales,
  scalesOf,
  type Series,
  type Unit,
} from './chart-scales';
import './charts.css';

const height = 190;
const usualWidth = 420;
/** Width of a place from which on there is room for a point. */
const pointRoom = 3;

interface Props {
  title: string;
  kind: 'lines' | 'bars';
  unit: Unit;
  series: readonly Series[];
  /** Of every place: what the axis and what the readout call it. */
  places: readonly { short: string; long: string }[];
  textOf: (value: number | null) => string;
  /** The place whose values stand in words below the plot, and the function that chooses another. */
  chosen: number;
  onChoose: (place: number) => void;
  /** What choosing a place is called, such as "Day". */
  placeName: string;
}

/**
 * Values over time, as lines or as stacked bars. What it shows at one place is also said in words: under the pointer,
 * by the arrow keys, and to screen readers as the value of a slider.
 */
export function Chart({ title, kind, unit, series, places, textOf, chosen, onChoose, placeName }: Props) {
  const pattern = useId();
  const heading = useId();
  const [frame, width] = useWidth();
  const count = places.length;
  const scales = scalesOf(count, highestOf(series, kind === 'bars'), unit, { width, height });
  const place = places[chosen];
  const words = series.map(({ name, values }) => `${name} ${textOf(values[chosen] ?? null)}`).join(', ');
  const choose = ({ currentTarget, clientX }: PointerEvent) =>
    onChoose(placeAt(scales.x, clientX - currentTarget.getBoundingClientRect().left));
  const move = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, chosen, count);
    if (to === null) return;
    event.preventDefault();
    onChoose(to);
  };
  return (
    <figure className="chart card card-body" aria-labelledby={heading}>
      <figcaption className="chart-head">
        <h3 id={heading}>{title}</h3>
        <ul className="chart-legend">
          {series.map(({ name, look }) => (
            <li key={name}>
              <svg className="chart-sample" viewBox="0 0 20 10" width="20" height="10" aria-hidden="true">
                {look === 'failed' && <Hatching id={`${pattern}-sample`} />}
                {kind === 'lines' ? (
                  <path className={`chart-line chart-${look}`} d="M0 5H20" />
                ) : (
                  <Bar look={look} pattern={`${pattern}-sample`} x={0} y={0} width={20} height={10} />
                )}
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        ref={frame}
        className="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={`${title}: ${placeName}`}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={chosen + 1}
        aria-valuetext={`${place?.long}: ${words}`}
        onKeyDown={move}
        onPointerMove={choose}
        onPointerDown={choose}
      >
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
          <Hatching id={pattern} />
          <Axes scales={scales} width={width} places={places} textOf={textOf} />
          <rect
            className="chart-chosen"
            x={scales.x(chosen)}
            y={margin.top}
            width={scales.x.bandwidth()}
            height={height - margin.top - margin.bottom}
          />
          {kind === 'lines' ? (
            <Lines series={series} scales={scales} />
          ) : (
            <Bars series={series} scales={scales} pattern={pattern} />
          )}
        </svg>
      </div>
      <p className="chart-readout tabular">
        <span className="muted">{place?.long}</span> {words}
      </p>
    </figure>
  );
}

/** The width that there is for a drawing, which follows that of the window. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usualWidth);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(1, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

function Axes({ scales, width, places, textOf }: { scales: Scales; width: number } & Pick<Props, 'places' | 'textOf'>) {
  const { x, y, ticks } = scales;
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
          <text className="chart-tick" x={margin.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
            {textOf(tick)}
          </text>
        </g>
      ))}
      {labeledPlaces(places.length, width).map((place) => {
        const middle = (x(place) ?? 0) + x.bandwidth() / 2;
        // The label under the last place ends where the drawing does.
        const atEnd = middle > width - margin.right - 20;
        return (
          <text
            key={place}
            className="chart-tick"
            x={atEnd ? width : middle}
            y={height - 6}
            textAnchor={atEnd ? 'end' : 'middle'}
          >
            {places[place]?.short}
          </text>
        );
      })}
    </>
  );
}

function Lines({ series, scales: { x, y } }: { series: readonly Series[]; scales: Scales }) {
  const middle = (place: number) => (x(place) ?? 0) + x.bandwidth() / 2;
  const hasRoom = x.step() >= pointRoom;
  const isAlone = (values: Series['values'], place: number) =>
    (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, place) => middle(place))
    .y((value) => y(value ?? 0));
  return series.map(({ name, values, look }) => (
    <g key={name} className={`chart-${look}`}>
      <path className={`chart-line chart-${look}`} d={path(values) ?? ''} />
      {values.map(
        (value, place) =>
          // A value without neighbours has no line; of hundreds the points would hide it.
          value !== null &&
          (hasRoom || isAlone(values, place)) && (
            <circle key={place} className="chart-point" cx={middle(place)} cy={y(value)} r="2" />
          ),
      )}
    </g>
  ));
}

function Bars({ series, scales: { x, y }, pattern }: { series: readonly Series[]; scales: Scales; pattern: string }) {
  const rows = (series[0]?.values ?? []).map((_, place) => series.map(({ values }) => values[place] ?? 0));
  const layers = stack<number[], number>()
    .keys(series.map((_, index) => index))
    .value((row, index) => row[index] ?? 0)(rows);
  return layers.map((layer, index) => {
    const look = series[index]?.look ?? 'first';
    return (
      <g key={look}>
        {layer.map(
          ([from, to], place) =>
            to > from && (
              <Bar
                key={place}
                look={look}
                pattern={pattern}
                x={x(place) ?? 0}
                y={y(to)}
                width={x.bandwidth()}
                height={y(from) - y(to)}
              />
            ),
        )}
      </g>
    );
  });
}

interface BarProps {
  look: Series['look'];
  pattern: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Failures are hatched: they differ from the others without colours too. */
function Bar({ look, pattern, ...place }: BarProps) {
  return (
    <>
      <rect className={`chart-bar chart-${look}`} {...place} />
      {look === 'failed' && <rect fill={`url(#${pattern})`} {...place} />}
    </>
  );
}

function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path className="chart-hatch" d="M0 0V5" />
      </pattern>
    </defs>
  );
}
