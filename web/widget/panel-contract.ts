// What the loader and the panel know of each other. Types alone: the two are built apart, and share no code.

/** What happens in a chat, for the page around it. */
export interface ChatEvents {
  /** The panel is there, and shows what the assistant's owner has set. */
  ready: { title: string };
  open: Record<string, never>;
  close: Record<string, never>;
  /** A conversation was opened, with the first message. */
  conversation: { id: string };
  /** A message was sent or has come, after the page was loaded. */
  message: { author: 'customer' | 'ai' | 'agent'; content: string };
  unread: { count: number };
  /** A call by voice; its id is that of the call in the API. */
  call: { id: number; state: 'begun' | 'ended' };
}

export type ChatEventName = keyof ChatEvents;

/** The element, as the panel sees it. */
export interface PanelHost extends HTMLElement {
  readonly root: ShadowRoot;
  /** Where Prosa is, with a slash at the end. */
  readonly server: string;
  /** BCP 47 tag of the texts. */
  readonly locale: string;
  readonly assistantId: string;
  readonly isInline: boolean;
  readonly isOpen: boolean;
  /** Texts by attribute, which go before those of the language. */
  readonly texts: Record<string, string>;
  close(): void;
  setUnread(count: number): void;
  /** What the owner of the assistant has set, which counts where the page says nothing. */
  look(color: string | null, position: string): void;
  emit<Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]): void;
}

export interface Panel {
  /** The host was opened or closed, or one of its attributes has changed. */
  update(): void;
  /** Takes the panel out of the page; another one may be mounted then. */
  destroy(): void;
}

export interface PanelModule {
  readonly mount: (host: PanelHost) => Panel;
}
