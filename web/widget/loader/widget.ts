// The file that pages name: a button, and what opens the chat. It is all that a visitor loads who does not chat.
import { ProsaChat, useServer } from './prosa-chat';

declare global {
  interface Window {
    /** The chat that the script tag has made. */
    prosaChat?: ProsaChat;
  }
}

const script = document.currentScript as HTMLScriptElement | null;

// Named twice, the script does nothing the second time.
if (!customElements.get('prosa-chat')) {
  useServer(new URL('.', script?.src ?? location.href).href);
  customElements.define('prosa-chat', ProsaChat);
}

if (script?.dataset.assistant && !window.prosaChat) {
  // A router may have written an earlier page, with its chat, into this one.
  const written = document.querySelector<ProsaChat>('prosa-chat[data-placed]');
  const chat = written ?? (document.createElement('prosa-chat') as ProsaChat);
  Object.assign(chat.dataset, script.dataset, { placed: '' });
  window.prosaChat = chat;
  const add = () => document.body.append(chat);
  if (document.body) add();
  else addEventListener('DOMContentLoaded', add);
}
