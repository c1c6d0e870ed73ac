import { useId } from 'react';
import classes from './segments.module.css';

interface Props<Value extends string> {
  /** Accessible name of the choice. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/**
 * One of a few choices that stand side by side. Style sheets alone mark the chosen one: the library's `SegmentedControl`
 * measures its parts before it can, and by that lays the whole page out again and again while it is first drawn.
 */
export function Segments<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.segments}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            className={classes.input}
            onChange={() => onChange(option.value)}
          />
          <span className={classes.name}>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
