// The file that pages name: a button, and what opens the chat. It is all that a visitor loads who does not chat.
import { ProsaChat, useServer } from './prosa-chat';

declare global {
  interface Window {
    /** The chat that the script tag has made. */
    prosaChat?: ProsaChat | undefined;
  }
}

const script = document.currentScript as HTMLScriptElement | null;

// Named twice, the script does nothing the second time.
if (!customElements.get('prosa-chat')) {
  useServer(new URL('.', script?.src ?? location.href).href);
  customElements.define('prosa-chat', ProsaChat);
}

if (script?.dataset.assistant && !window.prosaChat) {
  const chat = document.createElement('prosa-chat') as ProsaChat;
  Object.assign(chat.dataset, script.dataset, { placed: '1' });
  window.prosaChat = chat;
  const add = () => document.body.append(chat);
  if (document.body) add();
  else addEventListener('DOMContentLoaded', add);
}
