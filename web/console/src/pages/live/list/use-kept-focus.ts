import { type HTMLAttributes, type RefObject, useEffect, useRef } from 'react';
import type { LiveCall } from '../live-calls.js';

type Props = Pick<HTMLAttributes<HTMLElement>, 'tabIndex' | 'onFocus' | 'onBlur'> & {
  readonly ref: RefObject<HTMLDivElement | null>;
};

/** Keeps the focus in the list when the call that had it ends. Otherwise the next Tab begins at the top of the page. */
export function useKeptFocus(calls: readonly LiveCall[] | undefined): Props {
  const ref = useRef<HTMLDivElement>(null);
  const isWithin = useRef(false);
  useEffect(() => {
    if (isWithin.current && document.activeElement === document.body) ref.current?.focus();
  }, [calls]);
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      isWithin.current = true;
    },
    // An element that is removed sends no such event.
    onBlur: ({ relatedTarget }) => {
      isWithin.current = relatedTarget instanceof Node && (ref.current?.contains(relatedTarget) ?? false);
    },
  };
}
