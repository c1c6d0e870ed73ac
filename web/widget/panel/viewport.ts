/**
 * Keeps the chat above the keyboard of a phone, which covers the page without making it smaller. Says so in custom
 * properties of the frame, which count where the chat fills the screen. Returns what ends it.
 */
export function fitToViewport(frame: HTMLElement): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const fit = () => {
    frame.style.setProperty('--view-height', `${view.height}px`);
    frame.style.setProperty('--view-top', `${view.offsetTop}px`);
  };
  fit();
  view.addEventListener('resize', fit);
  view.addEventListener('scroll', fit);
  return () => {
    view.removeEventListener('resize', fit);
    view.removeEventListener('scroll', fit);
  };
}
