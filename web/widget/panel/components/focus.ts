/** Where the chat fills the screen; the same as in the style sheet. */
export const SMALL_SCREEN = '(max-width: 480px)';
const FOCUSABLE = 'button:not([disabled]), textarea:not([disabled]), a[href], [tabindex="0"]';

/** Nothing of the page behind can be seen, so Tab goes round within the panel. */
export function keepFocus(event: KeyboardEvent, panel: HTMLElement, root: ShadowRoot): void {
  if (event.key !== 'Tab') return;
  const stops = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((stop) => stop.checkVisibility());
  const from = event.shiftKey ? stops[0] : stops.at(-1);
  const to = event.shiftKey ? stops.at(-1) : stops[0];
  const isOutside = root.activeElement === panel && event.shiftKey;
  if (root.activeElement !== from && !isOutside) return;
  event.preventDefault();
  to?.focus();
}
