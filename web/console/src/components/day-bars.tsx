import { useTexts } from '../texts/texts.js';
import { useFormat } from '../texts/use-format.js';
import { ValueBars } from './value-bars.js';

interface Props {
  /** Name of the value; header of the table. */
  readonly name: string;
  readonly days: readonly { readonly day: string; readonly value: number }[];
  /** Formats a value. */
  readonly shown: (value: number) => string;
  /** Shown when all days are at zero. */
  readonly none: string;
}

/** A value of each day as bars. */
export function DayBars({ days, ...props }: Props) {
  const { day: dayName } = useTexts('common').chart;
  const format = useFormat();
  const bars = days.map(({ day, value }) => ({ time: format.calendarDay(day), value }));
  return <ValueBars {...props} timeName={dayName} bars={bars} />;
}
