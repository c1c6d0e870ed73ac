import { useTexts } from '../../texts/texts.js';
import classes from './select-cells.module.css';
import type { Key, Selection } from './use-selection.js';

/** Selects the rows of the page. */
export function SelectAll({ selection: { ids, of, toggleAll } }: { readonly selection: Selection }) {
  const t = useTexts('common').table;
  return (
    <label className={classes.checkbox}>
      <input
        type="checkbox"
        aria-label={t.selectAll}
        checked={ids.length > 0 && ids.length === of.length}
        ref={(box) => {
          if (box) box.indeterminate = ids.length > 0 && ids.length < of.length;
        }}
        onChange={toggleAll}
      />
    </label>
  );
}

interface Props {
  readonly id: Key;
  readonly name: string;
  readonly selection: Selection;
}

/** Selects a row; with Shift, all rows between it and the one that was selected before. */
export function SelectRow({ id, name, selection }: Props) {
  const t = useTexts('common').table;
  return (
    <label className={classes.checkbox} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
      <input
        type="checkbox"
        aria-label={t.select(name)}
        checked={selection.has(id)}
        onChange={({ nativeEvent }) => {
          selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
        }}
      />
    </label>
  );
}
