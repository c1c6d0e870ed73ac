import { type KeyboardEvent, type RefObject, useState } from 'react';

/** A placeholder that is being typed, up to the caret. */
const OPEN_PLACEHOLDER = /\{\{([^{}\r\n]{0,60})$/;
const CLOSING = /^[^{}\r\n]{0,60}?\}\}/;
const MOST_SHOWN = 8;

interface Open {
  /** Where `{{` begins. */
  readonly start: number;
  readonly typed: string;
}

/** Offers names after `{{` in a textarea. Arrows move among them, Enter and Tab take one, Escape closes. */
export function useCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  names: readonly string[],
  onChange: (text: string) => void,
) {
  const [open, setOpen] = useState<Open | null>(null);
  const [at, setAt] = useState(0);
  const typed = open?.typed.trim().toLowerCase() ?? '';
  const offered = open ? names.filter((name) => name.toLowerCase().includes(typed)).slice(0, MOST_SHOWN) : [];
  const active = offered[Math.min(at, offered.length - 1)];

  /** After each change of the text or of the caret. */
  const look = () => {
    const { value = '', selectionStart = 0 } = area.current ?? {};
    const found = OPEN_PLACEHOLDER.exec(value.slice(0, selectionStart));
    setOpen(found ? { start: found.index, typed: found[1] ?? '' } : null);
    if (found?.[1] !== open?.typed) setAt(0);
  };
  const take = (name: string) => {
    const element = area.current;
    if (!element || !open) return;
    const { value, selectionStart } = element;
    const rest = value.slice(selectionStart).replace(CLOSING, '');
    const before = `${value.slice(0, open.start)}{{${name}}}`;
    onChange(before + rest);
    setOpen(null);
    // After the new text has been drawn.
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (active === undefined || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setAt((Math.min(at, offered.length - 1) + step + offered.length) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(active);
    else if (event.key === 'Escape') setOpen(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { offered, active, look, take, close: () => setOpen(null), onKeyDown };
}
