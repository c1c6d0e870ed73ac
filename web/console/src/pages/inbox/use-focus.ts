import { type RefObject, useEffect, useRef } from 'react';

export function rowOf(id: string): HTMLElement | null {
  return document.getElementById(`conversation-${id}`);
}

/** The focused element was removed or hidden, so the focus has fallen to the page. */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body;
}

/** Where the list replaces the conversation on a narrow screen, gives the focus back to the row of the conversation. */
export function useFocusOfRow(openId: string | undefined): void {
  const before = useRef(openId);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (openId === undefined && left !== undefined && isFocusLost()) rowOf(left)?.focus();
  }, [openId]);
}

/**
 * Moves a lost focus to the heading of the conversation: after it was opened from a list that it hides, and after its state has
 * removed the button that was pressed.
 *
 * @param isFirst the page began with this conversation, so the focus was nowhere before
 */
export function useFocusOfHeading(
  heading: RefObject<HTMLElement | null>,
  state: string,
  isFirst: boolean,
): void {
  const isSkipped = useRef(isFirst);
  useEffect(() => {
    if (!isSkipped.current && isFocusLost()) heading.current?.focus({ preventScroll: true });
    isSkipped.current = false;
  }, [heading, state]);
}
