/** Screens that the chat fills; same as in the style sheet. */
export const SMALL_SCREEN = '(max-width: 480px)';
const FOCUSABLE = 'button:not([disabled]), textarea:not([disabled]), a[href], [tabindex="0"]';

/** Keeps Tab within the panel while it covers the page. */
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
