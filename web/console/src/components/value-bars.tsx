import { Tooltip, VisuallyHidden } from '@mantine/core';
import { Dimmed } from './dimmed.js';
import classes from './value-bars.module.css';

/** Minimum height, so that small values stay visible. */
const LEAST_PERCENT = 2;

interface Bar {
  /** Time of the value, such as its day. */
  readonly time: string;
  readonly value: number;
}

interface Props {
  /** Name of the value; header of the table. */
  readonly name: string;
  /** Name of the times; header of the table. */
  readonly timeName: string;
  readonly bars: readonly Bar[];
  /** Formats a value. */
  readonly shown: (value: number) => string;
  /** Shown when all values are zero. */
  readonly none: string;
}

/** Values over time as bars, and as a table for screen readers. */
export function ValueBars({ none, ...values }: Props) {
  const { bars, shown } = values;
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (most === 0) {
    return <Dimmed py="lg">{none}</Dimmed>;
  }
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(LEAST_PERCENT, (value / most) * 100));
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        {bars.map(({ time, value }) => (
          <Tooltip key={time} label={`${time}: ${shown(value)}`} openDelay={0}>
            <div className={classes.column}>
              <div className={classes.bar} style={{ height: `${heightOf(value)}%` }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{bars[0]?.time}</span>
        <span>{bars.at(-1)?.time}</span>
      </div>
      <VisuallyHidden>
        <ValueTable {...values} />
      </VisuallyHidden>
    </>
  );
}

function ValueTable({ name, timeName, bars, shown }: Omit<Props, 'none'>) {
  return (
    <table>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">{timeName}</th>
          <th scope="col">{name}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ time, value }) => (
          <tr key={time}>
            <th scope="row">{time}</th>
            <td>{shown(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
