import { ActionIcon, Menu } from '@mantine/core';
import { Copy, Plus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Dimmed } from '../../../components/dimmed.js';
import { TimeInput } from '../../../components/inputs/time-input.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './routing.module.css';
import {
  clockOfEnd,
  copyHours,
  dayAfter,
  type DayHours,
  endOf,
  endOfClock,
  isWorkday,
  WEEKDAYS,
  type Weekday,
} from './week.js';

interface Props {
  readonly day: Weekday;
  readonly names: Readonly<Record<Weekday, string>>;
  /** Of all days. */
  readonly rows: readonly DayHours[];
  readonly errorOf: (at: number, field: 'from' | 'to') => ReactNode;
  readonly onChange: (at: number, field: 'from' | 'to', value: string) => void;
  readonly onReplace: (rows: readonly DayHours[]) => void;
}

/** The hours of one day, with buttons that add, remove and copy them. */
export function WeekDay({ day, names, rows, errorOf, onChange, onReplace }: Props) {
  const { week: t } = useTexts('numberRouting');
  const addButton = useRef<HTMLButtonElement>(null);
  const [hasAdded, setHasAdded] = useState(false);
  const own = rows.flatMap((row, at) => (row.day === day ? [{ row, at }] : []));
  const add = () => {
    setHasAdded(true);
    onReplace([...rows, { day, from: '', to: '' }]);
  };
  const remove = (removed: number) => {
    onReplace(rows.filter((_row, at) => at !== removed));
    // The button that had the focus is gone.
    addButton.current?.focus();
  };
  return (
    <div role="group" aria-label={names[day]} className={classes.day}>
      <span className={classes.dayName}>{names[day]}</span>
      <div className={classes.ranges}>
        {own.length === 0 && <Dimmed>{t.closed}</Dimmed>}
        {own.map(({ row, at }, index) => (
          <div key={index} className={classes.range}>
            <TimeInput
              label={t.from(index + 1)}
              isLabelHidden
              value={row.from}
              error={errorOf(at, 'from')}
              autoFocus={hasAdded && index === own.length - 1}
              onChange={(value) => onChange(at, 'from', value)}
            />
            <TimeInput
              label={t.to(index + 1)}
              isLabelHidden
              value={clockOfEnd(row.to)}
              error={errorOf(at, 'to')}
              onChange={(value) => onChange(at, 'to', endOfClock(value))}
            />
            <ActionIcon aria-label={t.remove(names[day], index + 1)} onClick={() => remove(at)}>
              <X size={16} />
            </ActionIcon>
            <EndNote row={row} names={names} />
          </div>
        ))}
      </div>
      <div className={classes.dayActions}>
        <ActionIcon ref={addButton} aria-label={t.add(names[day])} onClick={add}>
          <Plus size={16} />
        </ActionIcon>
        <CopyMenu day={day} names={names} onCopy={(targets) => onReplace(copyHours(rows, day, targets))} />
      </div>
    </div>
  );
}

/** Says where hours end that do not end on their day. */
function EndNote({ row, names }: { readonly row: DayHours; readonly names: Props['names'] }) {
  const { week: t } = useTexts('numberRouting');
  const end = endOf(row);
  if (end === null || end === 'same-day') return null;
  const words =
    end === 'next-day'
      ? t.ends.nextDay(row.to, names[dayAfter(row.day)])
      : end === 'midnight'
        ? t.ends.midnight
        : t.ends.wholeDay;
  return <Dimmed className={classes.note}>{words}</Dimmed>;
}

interface CopyProps {
  readonly day: Weekday;
  readonly names: Props['names'];
  readonly onCopy: (targets: readonly Weekday[]) => void;
}

function CopyMenu({ day, names, onCopy }: CopyProps) {
  const { week: t } = useTexts('numberRouting');
  return (
    // The library's placeholder for the first focus is no child that a menu may have.
    <Menu withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon aria-label={t.copy(names[day])}>
          <Copy size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onCopy(WEEKDAYS)}>{t.copyToAll}</Menu.Item>
        <Menu.Item onClick={() => onCopy(WEEKDAYS.filter(isWorkday))}>{t.copyToWorkdays}</Menu.Item>
        {WEEKDAYS.filter((other) => other !== day).map((other) => (
          <Menu.Item key={other} onClick={() => onCopy([other])}>
            {t.copyTo(names[other])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
