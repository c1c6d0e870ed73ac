import { render } from 'preact';
import type { Panel, PanelHost } from '../panel-contract';
import { ChatSession } from './chat-session';
import { EMPTY } from './chat-state';
import { ChatPanel } from './components/chat-panel';
import css from './panel.css?inline';
import { fitToViewport } from './viewport';

/** Mounts the chat into the element, next to its button. */
export function mount(host: PanelHost): Panel {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  const sheets = host.root.adoptedStyleSheets;
  host.root.adoptedStyleSheets = [...sheets, style];
  const frame = document.createElement('div');
  frame.className = 'frame';
  host.root.prepend(frame);

  let state = EMPTY;
  let isFirst = true;
  const draw = () => render(<ChatPanel host={host} state={state} session={session} />, frame);
  const session = new ChatSession(host, (changed) => {
    const { widget } = changed;
    if (widget && widget !== state.widget) host.look(widget.color, widget.position);
    state = changed;
    draw();
    if (widget && isFirst) {
      isFirst = false;
      host.emit('ready', { title: host.dataset.title || widget.title });
    }
  });
  const unfit = fitToViewport(frame);
  draw();
  void session.load();

  return {
    update() {
      session.look();
      draw();
    },
    destroy() {
      session.destroy();
      unfit();
      render(null, frame);
      frame.remove();
      host.root.adoptedStyleSheets = sheets;
    },
  };
}
