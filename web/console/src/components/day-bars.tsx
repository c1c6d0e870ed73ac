import { Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../texts/texts.js';
import { useFormat } from '../texts/use-format.js';
import classes from './day-bars.module.css';

/** Minimum height, so that small values stay visible. */
const LEAST_PERCENT = 2;

interface Props {
  /** Name of the value; header of the table. */
  readonly name: string;
  readonly days: readonly { readonly day: string; readonly value: number }[];
  /** Formats a value. */
  readonly shown: (value: number) => string;
  /** Shown when all days are at zero. */
  readonly none: string;
}

/** A value of each day as bars, and as a table for screen readers. */
export function DayBars({ name, days, shown, none }: Props) {
  const format = useFormat();
  const most = Math.max(0, ...days.map(({ value }) => value));
  if (most === 0) {
    return (
      <Text size="sm" c="dimmed" py="lg">
        {none}
      </Text>
    );
  }
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(LEAST_PERCENT, (value / most) * 100));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <div className={classes.chart} aria-hidden="true">
        {days.map(({ day, value }) => (
          <Tooltip key={day} label={`${format.calendarDay(day)}: ${shown(value)}`} openDelay={0}>
            <div className={classes.column}>
              <div className={classes.bar} style={{ height: `${heightOf(value)}%` }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{first && format.calendarDay(first.day)}</span>
        <span>{last && format.calendarDay(last.day)}</span>
      </div>
      <VisuallyHidden>
        <DayTable name={name} days={days} shown={shown} />
      </VisuallyHidden>
    </>
  );
}

function DayTable({ name, days, shown }: Omit<Props, 'none'>) {
  const { day: dayName } = useTexts('common').chart;
  const format = useFormat();
  return (
    <table>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">{dayName}</th>
          <th scope="col">{name}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, value }) => (
          <tr key={day}>
            <th scope="row">{format.calendarDay(day)}</th>
            <td>{shown(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
