import type { ChatEventName, ChatEvents, Panel, PanelHost, PanelModule } from '../panel-contract';
import css from './launcher.css?inline';

/** Replaced at the build by the name of the panel's file. */
const PANEL_FILE = '__PANEL_FILE__';
/** With an id, the conversation of an earlier visit, and until when it is kept. */
const STORED_KEY = 'prosa:';
const ICONS = [
  'M5 4h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-6l-5 4v-4H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z',
  'm6 9 6 6 6-6',
];
const TEXTS = {
  launcherOpen: ['Open the chat', 'Abrir o chat'],
  launcherClose: ['Close the chat', 'Fechar o chat'],
  launcherFailed: ["The chat couldn't open. Try again.", 'O chat não abriu. Tente de novo.'],
} as const;

let server = '';

/** Says where Prosa is, with a slash at the end. */
export function useServer(address: string): void {
  server = address;
}

/** `<prosa-chat data-assistant="…">`: a button that opens a chat, or with `data-inline` the chat itself. */
export class ProsaChat extends HTMLElement implements PanelHost {
  static readonly observedAttributes = ['assistant', 'color', 'locale', 'position', 'texts', 'title'].map(
    (name) => `data-${name}`,
  );

  readonly root = this.attachShadow({ mode: 'open' });
  isOpen = false;
  readonly #button = document.createElement('button');
  readonly #badge = document.createElement('b');
  #panel: Panel | null = null;
  #loading: Promise<void> | null = null;
  #attempts = 0;
  #unread = 0;
  #color: string | null = null;
  #position = 'right';
  #hasFailed = false;

  constructor() {
    super();
    const style = new CSSStyleSheet();
    style.replaceSync(css);
    this.root.adoptedStyleSheets = [style];
    this.#button.className = 'launcher';
    this.#button.part.add('launcher');
    this.#button.append(...ICONS.map(iconOf), this.#badge);
    this.#button.addEventListener('click', () => this.toggle());
    this.#button.addEventListener('pointerenter', () => void this.#load());
    this.root.append(this.#button);
  }

  get server(): string {
    return this.dataset.server ?? server;
  }

  get assistantId(): string {
    return this.dataset.assistant ?? '';
  }

  get locale(): string {
    return this.dataset.locale || document.documentElement.lang || navigator.language;
  }

  get isInline(): boolean {
    return 'inline' in this.dataset;
  }

  get texts(): Record<string, string> {
    return objectOf(this.dataset.texts);
  }

  connectedCallback(): void {
    // Of the script tag's chat there is one: routers bring copies back with a page that they have kept.
    if (this.dataset.placed && (window.prosaChat ??= this) !== this) return this.remove();
    this.#draw();
    // Moved within the document, it was taken out of it: the panel is gone, and the chat still open.
    if (this.isOpen) void this.#load();
    else if (this.isInline) this.open();
    else if (this.#hasStored()) setTimeout(() => void this.#load(), 1);
  }

  disconnectedCallback(): void {
    // The page has replaced its body: the chat goes into the new one, with all that it shows.
    if (window.prosaChat === this) setTimeout(() => this.isConnected || document.body.append(this), 1);
    else this.#discard();
  }

  /** Takes the chat off the page for good. */
  override remove(): void {
    if (window.prosaChat === this) window.prosaChat = undefined;
    super.remove();
  }

  attributeChangedCallback(name: string, old: string | null): void {
    if (!this.isConnected) return;
    // Another assistant is another chat, not a change of this one.
    if (name === 'data-assistant' && old !== this.assistantId && this.#panel) {
      this.#discard();
      if (this.isOpen) void this.#load();
    }
    this.#draw();
    this.#panel?.update();
  }

  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.#draw();
    void this.#load();
    this.#panel?.update();
    this.emit('open', {});
  }

  close(): void {
    if (!this.isOpen || this.isInline) return;
    const hadFocus = this.root.activeElement !== null;
    this.isOpen = false;
    this.#draw();
    this.#panel?.update();
    if (hadFocus) this.#button.focus();
    this.emit('close', {});
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  /** Hears an event; call what is returned to hear it no more. */
  on<Name extends ChatEventName>(name: Name, listener: (detail: ChatEvents[Name]) => void): () => void {
    const hear = (event: Event) => listener((event as CustomEvent<ChatEvents[Name]>).detail);
    this.addEventListener(`prosa-${name}`, hear);
    return () => this.removeEventListener(`prosa-${name}`, hear);
  }

  emit<Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(`prosa-${name}`, { detail }));
  }

  look(color: string | null, position: string): void {
    this.#color = color;
    this.#position = position;
    this.#draw();
  }

  setUnread(count: number): void {
    if (count !== this.#unread) this.emit('unread', { count });
    this.#unread = count;
    this.#draw();
  }

  /** Imports the panel once. After a failure the next click tries again, at an address that no browser remembers. */
  #load(): Promise<void> {
    return (this.#loading ??= this.#import());
  }

  async #import(): Promise<void> {
    try {
      const retry = this.#attempts++ ? `?retry=${this.#attempts}` : '';
      const { mount } = (await import(/* @vite-ignore */ this.server + PANEL_FILE + retry)) as PanelModule;
      this.#hasFailed = false;
      if (this.isConnected) this.#panel ??= mount(this);
      // To point at the button that tries again is to press it, where the chat has no other.
      if (this.isInline) this.open();
    } catch (error) {
      console.error(error);
      this.#loading = null;
      this.#hasFailed = this.isOpen;
      this.isOpen = false;
    }
    this.#draw();
  }

  #discard(): void {
    this.#panel?.destroy();
    this.#panel = null;
    this.#loading = null;
  }

  #draw(): void {
    const { isOpen } = this;
    const button = this.#button;
    const unread = this.#unread;
    const hasFailed = this.#hasFailed;
    const count = isOpen || !unread ? '' : `${unread}`;
    this.#badge.textContent = hasFailed ? '!' : count;
    button.ariaExpanded = `${isOpen}`;
    button.ariaBusy = `${isOpen && !this.#panel}`;
    const label = this.#textOf(hasFailed ? 'launcherFailed' : isOpen ? 'launcherClose' : 'launcherOpen');
    button.ariaLabel = count ? `${label} (${count})` : label;
    button.title = label;
    // An inline chat has no button but the one that tries again.
    button.hidden = this.isInline && !hasFailed;
    const { color = this.#color, position = this.#position } = this.dataset;
    if (color) this.style.setProperty('--accent', color);
    this.dataset.at = position;
  }

  #textOf(key: keyof typeof TEXTS): string {
    return this.texts[key] ?? TEXTS[key][this.locale.startsWith('pt') ? 1 : 0];
  }

  #hasStored(): boolean {
    try {
      return objectOf(localStorage.getItem(STORED_KEY + this.assistantId)).until > Date.now();
    } catch {
      // The page may not use storage.
      return false;
    }
  }
}

function iconOf(path: string): SVGElement {
  const icon = svg('svg');
  const line = svg('path');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.ariaHidden = 'true';
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}

function svg(name: 'svg' | 'path'): SVGElement {
  return document.createElementNS('http://www.w3.org/2000/svg', name);
}

// oxlint-disable-next-line typescript/no-explicit-any
function objectOf(json: string | null | undefined): Record<string, any> {
  try {
    return JSON.parse(json || '{}') ?? {};
  } catch {
    return {};
  }
}
